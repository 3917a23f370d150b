import assert from "node:assert/strict";
import { docker, ensureEngine, list } from "../../../machines";
import { containerName } from "../../../machines/names";
import { describeLong } from "../../takes-long";
import { eventually } from "../cluster";
import { simulatedAws } from "../simulated-aws";
import { SimulatedCluster } from "../simulated-cluster";

const cluster = new SimulatedCluster("awsgone", simulatedAws);

/** The time from an instance's termination to the deletion of its Node. */
const limitSeconds = 150;

describeLong("nodes of terminated instances on a simulated AWS", function () {
    this.timeout(400_000);
    const names = () =>
        cluster.account
            .all("instances")
            .filter(({ createdBy }) => createdBy !== undefined)
            .map(({ machine }) => machine)
            .sort();
    const nodes = async () => {
        const { items } = await cluster.get<{ items: { metadata: { name: string } }[] }>("nodes");
        return items.map(({ metadata }) => metadata.name).sort();
    };
    const removed = async (what: string) => {
        const start = Date.now();
        const whole = async () => assert.deepEqual(await nodes(), ["awsgone-controller-0", ...names()]);
        await eventually(`nodes of ${what} to be deleted`, whole, limitSeconds);
        console.log(`        nodes of ${what} deleted after ${((Date.now() - start) / 1000).toFixed(0)} s`);
    };
    const set = (path: string, value: string) =>
        cluster.pulumi("config", "set", "--path", "--plaintext", `tradewind:${path}`, value);
    const cleaner = () => cluster.kubectl("logs", "-n", "kube-system", "deployment/node-cleaner");

    before(async () => {
        await ensureEngine();
        const pool = { name: "default", count: 2, instanceRefresh: { warmup: "10s" } };
        await cluster.prepare(() => ({ zones: ["a", "b"], workerPools: [pool] }));
        await cluster.up();
        await cluster.ready(names());
    });
    after(() => cluster.destroy());

    it("are deleted after a refresh, and no others", async () => {
        const before = names();
        await set("workerPools[0].labels.generation", "second");
        await cluster.up();
        const areOthers = async () =>
            assert.deepEqual([names().length, names().filter((name) => before.includes(name))], [2, []]);
        await eventually("all instances are new", areOthers, 300);
        await removed("a refresh");
        for (const each of before) assert.match(await cleaner(), new RegExp(`deleted ${each}: ${each} is terminated`));
    });

    it("are deleted when a machine is killed, and a new one is launched", async () => {
        const [lost] = names() as [string];
        await docker(["kill", containerName("awsgone", lost)]);
        const isReplaced = async () => assert.ok(!names().includes(lost) && names().length === 2);
        await eventually("another instance", isReplaced, 120);
        await removed("a machine that was killed");
    });

    it("do not block another up that rolls what runs on every node", async () => {
        await cluster.ready(names());
        const [lost] = names() as [string];
        await docker(["kill", containerName("awsgone", lost)]);
        await set("kubeProxyMode", "iptables");
        await cluster.up();
        const args = ["-n", "kube-system", "get", "daemonset", "kube-proxy", "-o", "jsonpath={.status}"];
        const { desiredNumberScheduled, updatedNumberScheduled } = JSON.parse(await cluster.kubectl(...args));
        assert.equal(updatedNumberScheduled, desiredNumberScheduled);
        assert.ok(!(await nodes()).includes(lost));
    });

    it("are reported in events, with exactly the granted permissions", async () => {
        assert.match(await cluster.kubectl("get", "events"), /DeletedNode .*its instance i-\w+ is terminated/);
        assert.doesNotMatch(await cleaner(), /cannot query EC2/);
    });

    it("is destroyed, leaving nothing in the account", async () => {
        await cluster.destroy();
        assert.deepEqual(cluster.account.left, []);
        assert.deepEqual(await list("awsgone"), []);
    });
});
