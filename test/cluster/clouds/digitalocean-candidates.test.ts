import assert from "node:assert/strict";
import { ensureEngine } from "../../../machines";
import { describeLong } from "../../takes-long";
import { leavesNothing, replacesThird } from "../candidates/lost-in-cloud";
import { SimulatedCluster } from "../simulated-cluster";
import { simulatedDigitalOcean } from "../simulated-digitalocean";

const cluster = new SimulatedCluster("docandidates", simulatedDigitalOcean);
const controller = (index: number) => `docandidates-controller-${index}`;
const candidate = "docandidates-default-0";

describeLong("a lost controller and a candidate on a simulated DigitalOcean", function () {
    this.timeout(600_000);

    before(async () => {
        await ensureEngine();
        await cluster.prepare(() => ({
            region: "fra1",
            controllers: { count: 3, candidates: ["default"], replaceAfter: "20s" },
            workerPools: [{ name: "default" }],
        }));
        await cluster.up();
        await cluster.ready();
    });
    after(() => cluster.destroy());

    it("has the candidate behind the API's load balancer beforehand, so that no one needs the cloud's API", async () => {
        const { droplets } = cluster.account.balancer("docandidates-api");
        const names = droplets.map((id) => cluster.account.resources.droplets[id]!.name);
        assert.deepEqual(names.sort(), [...[0, 1, 2].map(controller), candidate].sort());
    });

    replacesThird(cluster);

    leavesNothing(cluster);
});
