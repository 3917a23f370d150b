import assert from "node:assert/strict";
import { userData } from "../../../../components/digitalocean/node-configs";
import { config, file } from "../../../../ignition";

const filled = (bytes: number) => config({ files: [file("/srv/filled", "x".repeat(bytes))] });

describe("the user-data of a droplet", () => {
    it("is in the form that the image reads", () => {
        assert.match(userData("c-a-0", "ignition", filled(1)), /^\{"ignition":/);
        assert.match(userData("c-a-0", "cloud-init", filled(1)), /^#cloud-config\n/);
    });

    it("is refused when DigitalOcean would not take it", () => {
        assert.ok(userData("c-a-0", "ignition", filled(65_000)));
        const message = /^the user-data of c-a-0, including snippets, must be at most 65536 bytes, got 65\d{3}$/;
        assert.throws(() => userData("c-a-0", "ignition", filled(65_500)), { message });
    });
});
