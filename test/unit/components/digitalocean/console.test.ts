import assert from "node:assert/strict";
import { consoleOfDroplet } from "../../../../components/digitalocean/in-cluster";

describe("the console of a droplet", () => {
    it("is in the control panel, at an address that names it", () => {
        const { byHand, ec2 } = consoleOfDroplet("42");
        assert.match(byHand, /https:\/\/cloud\.digitalocean\.com\/droplets\/42$/);
        assert.equal(ec2, undefined);
    });
});
