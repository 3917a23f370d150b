import assert from "node:assert/strict";
import { controllerLabel } from "../../../cluster/labels";
import { ensureEngine, list, powerOff, powerOn } from "../../../machines";
import { describeLong } from "../../takes-long";
import { eventually } from "../cluster";
import { countObjects } from "../count-objects";
import { etcdMembers, leadEtcd } from "../etcd-roll";
import { SimulatedCluster } from "../simulated-cluster";
import { simulatedDigitalOcean } from "../simulated-digitalocean";

const cluster = new SimulatedCluster("docandidates", simulatedDigitalOcean);
const controller = (index: number) => `docandidates-controller-${index}`;
const candidate = "docandidates-default-0";

/** Seconds from the loss of a controller to three voters again. */
const goalSeconds = 120;

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

    it("are three voters again, without a lost write and without a call of the cloud", async () => {
        await leadEtcd(cluster, controller(2));
        const count = await countObjects(cluster, "a controller lost, until there are three voters", async () => {
            const start = performance.now();
            await powerOff("docandidates", controller(2));
            const areThree = async () => {
                const members = await etcdMembers(cluster, controller(0));
                assert.deepEqual(members, [controller(0), controller(1), candidate]);
            };
            await eventually("three voters", areThree, goalSeconds);
            console.log(`      three voters after ${((performance.now() - start) / 1000).toFixed(0)} s`);
        });
        assert.ok(count.longestGap < 30_000, `${count.longestGap} ms without an acknowledged object`);
        await eventually("the candidate's own kube-apiserver", async () =>
            assert.equal(await cluster.exec(candidate, "curl -sk https://127.0.0.1:6443/readyz"), "ok"),
        );
    });

    it("leave nothing to change, and the machine that returns is a candidate", async () => {
        await powerOn("docandidates", controller(2));
        const hasNoRole = async () => {
            const names = await cluster.kubectl("get", "nodes", "-l", controllerLabel, "-o", "name");
            assert.deepEqual(names.trim().split("\n").sort(), [
                `node/${controller(0)}`,
                `node/${controller(1)}`,
                `node/${candidate}`,
            ]);
        };
        await eventually("the returned machine to be a candidate", hasNoRole, 240);
        await cluster.ready();
        await cluster.pulumi("preview", "--expect-no-changes", "--non-interactive");
    });

    it("are destroyed, leaving nothing in the account", async () => {
        await cluster.destroy();
        assert.deepEqual(cluster.account.left, []);
        assert.deepEqual(await list("docandidates"), []);
    });
});
