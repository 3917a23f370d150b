import assert from "node:assert/strict";
import { freeAddresses, freeBalancerAddress } from "../../../../../simulator/clouds/digitalocean/load-balancer";

const vpc = { name: "c", region: "fra1", ipRange: "10.2.3.0/24" };

describe("the addresses of a simulated VPC", () => {
    it("are two for a droplet, of which the upper half stands for the internet", () => {
        assert.deepEqual(freeAddresses(vpc, []), { address: "10.2.3.10", publicAddress: "10.2.3.128" });
        assert.deepEqual(freeAddresses(vpc, ["10.2.3.10"]), { address: "10.2.3.11", publicAddress: "10.2.3.129" });
    });

    it("are new for a replaced droplet, while there are unused ones", () => {
        assert.equal(freeAddresses({ ...vpc, given: 3 }, []).address, "10.2.3.13");
        const last = freeAddresses({ ...vpc, given: 117 }, []);
        assert.deepEqual(last, { address: "10.2.3.127", publicAddress: "10.2.3.245" });
        const all = Array.from({ length: 118 }, (_, given) => freeAddresses({ ...vpc, given }, []).address);
        assert.throws(() => freeAddresses(vpc, all), /more than 118 droplets in a VPC are not simulated/);
        assert.equal(freeAddresses({ ...vpc, given: 118 }, []).address, "10.2.3.10");
    });

    it("are one for a load balancer, not used by a droplet", () => {
        assert.equal(freeBalancerAddress(vpc, []), "10.2.3.246");
        const all = Array.from({ length: 7 }, (_, index) => `10.2.3.${246 + index}`);
        assert.equal(freeBalancerAddress(vpc, all.slice(0, 6)), "10.2.3.252");
        assert.throws(() => freeBalancerAddress(vpc, all), /more than seven load balancers/);
    });
});
