import assert from "node:assert/strict";
import { verified } from "../../../../../cli/verify-cloud/clouds";
import type { Resource } from "../../../../../cli/verify-cloud/clouds/facts";
import { billOf } from "../../../../../cli/verify-cloud/cost/bill-of-stack";
import { types as aws } from "../../../../../simulator/clouds/aws/types";
import { types as digitalOcean } from "../../../../../simulator/clouds/digitalocean/types";
import { deployAws } from "../../../components/aws/deploy-aws";
import { deployDigitalOcean } from "../../../components/digitalocean/deploy-digitalocean";
import type { Deployed } from "../../../deploy";

/** As in a state, with IDs of the mocks. */
function stateOf(resources: readonly Deployed[]): Resource[] {
    return resources.map(({ type, name, inputs }) => ({ urn: `urn::${name}`, type, id: `${name}-id`, inputs }));
}

describe("the bill of a stack", function () {
    this.timeout(60_000);

    it("contains machines, disks, addresses, gateways and load balancers of an AWS cluster", async () => {
        const workerPools = [{ name: "default", count: 3, diskSize: 100 }];
        const open = await deployAws({ zones: ["a", "b"], controllers: { count: 3 }, workerPools });
        const bill = billOf(stateOf(open.resources));
        const { controllers, workers, ...others } = bill;
        assert.deepEqual([controllers, workers], [{ "t3.medium": 3 }, { "t3.medium": 3 }]);
        assert.ok(others.storage >= 3 * 30 + 3 * 100, `${others.storage} GB`);
        // One for each node, and one for the load balancer in each of two zones.
        assert.deepEqual(
            { ...others, storage: 0 },
            { storage: 0, publicAddresses: 8, natGateways: 0, loadBalancers: 1, endpoints: 0, hostedZones: 0 },
        );

        const hidden = await deployAws({
            zones: ["a", "b"],
            topology: "private",
            controllers: { count: 3 },
            workerPools,
        });
        const { publicAddresses, natGateways } = billOf(stateOf(hidden.resources));
        // For gateways and the load balancer, in two zones each.
        assert.deepEqual({ publicAddresses, natGateways }, { publicAddresses: 4, natGateways: 2 });
    });

    it("counts a mixed pool's machines as its first type", async () => {
        const instanceTypes = ["m7i.large", "m6i.large"];
        const { resources } = await deployAws({ workerPools: [{ name: "any", count: 2, instanceTypes, spot: {} }] });
        assert.deepEqual(billOf(stateOf(resources)).workers, { "m7i.large": 2 });
    });

    it("contains droplets and load balancers of a DigitalOcean cluster", async () => {
        const workerPools = [{ name: "default", count: 2, size: "s-4vcpu-8gb" }];
        const { resources } = await deployDigitalOcean({ controllers: { count: 3 }, workerPools, ingress: {} });
        const { controllers, workers, loadBalancers } = billOf(stateOf(resources));
        assert.deepEqual(controllers, { "s-2vcpu-4gb": 3 });
        assert.deepEqual(workers, { "s-4vcpu-8gb": 2 });
        assert.equal(loadBalancers, 2);
    });

    it("knows for every type in our stacks whether it is priced", () => {
        const known = Object.values(verified).flatMap(({ priced, free }) => [...Object.keys(priced), ...free]);
        assert.deepEqual(
            Object.keys({ ...aws, ...digitalOcean }).filter((type) => !known.includes(type)),
            [],
        );
        assert.throws(() => billOf([{ urn: "urn::a", type: "aws:rds/instance:Instance" }]), {
            message: "cli/verify-cloud/clouds/aws.ts has no price for aws:rds/instance:Instance",
        });
    });
});
