import assert from "node:assert/strict";
import { estimate } from "../../../../../cli/verify-cloud/cost/estimate";

const droplet = (size: string, name = "verify-controller-0") => ({
    urn: `urn:pulumi:verify::tradewind::digitalocean:index/droplet:Droplet::${name}`,
    type: "digitalocean:index/droplet:Droplet",
    inputs: { size },
});

describe("the cost estimate of tradewind verify-cloud", () => {
    it("is for a run, and for a month in case something is left", () => {
        const resources = [droplet("s-2vcpu-4gb"), droplet("s-2vcpu-2gb", "verify-verify-0")];
        assert.equal(
            estimate("digitalocean", resources),
            "2 resources, of which 2 machines or groups of them. Cost at list prices, without traffic and taxes: about $0.12 for 2 hours, or $42.00 per month if they are left behind.",
        );
    });

    it("says so if a price is unknown", () => {
        assert.match(estimate("digitalocean", [droplet("c-2")]), /could not be estimated \(.* no price for c-2\)\.$/);
    });
});
