import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { ensureEngine, list, powerOff, powerOn } from "../../../machines";
import { describeLong } from "../../takes-long";
import { SimulatedCluster } from "../simulated-cluster";
import { simulatedDigitalOcean } from "../simulated-digitalocean";
import { areResizedInTurn } from "./resized";

const cluster = new SimulatedCluster("dothree", simulatedDigitalOcean);
const apiName = "api.dothree.tradewind.test";

describeLong("three controllers on a simulated DigitalOcean without a load balancer", function () {
    this.timeout(420_000);
    const worker = "dothree-default-0";
    const set = (path: string, value: string) =>
        cluster.pulumi("config", "set", "--path", `tradewind:${path}`, value, "--plaintext");
    const addresses = () =>
        Object.values(cluster.account.resources.droplets)
            .filter(({ name }) => name.includes("-controller-"))
            .map(({ publicAddress }) => publicAddress!)
            .sort();

    /**
     * What a worker sees that connects to the API by name, with a new connection each time, while `change` runs: curl
     * tries the name's next address if one does not respond within a part of its timeout, like clients in Go and Node.
     * Failures are in seconds after the start. Not `/readyz`: an apiserver that will end says so there, and still serves.
     */
    async function asked(change: () => Promise<unknown>): Promise<{ answered: number; failedAfter: number[] }> {
        const log = "/tmp/asked";
        const asks = "curl -ksS --connect-timeout 9 -m 15 -o /dev/null -w '%{http_code} %{time_total}'";
        const one = `echo "$(cut -d ' ' -f 1 /proc/uptime) $(${asks} https://${apiName}:6443/livez 2>/dev/null)"`;
        const until = `until [ -e ${log}.end ]; do ${one} >> ${log}; sleep 0.2; done`;
        await cluster.exec(worker, `rm -f ${log} ${log}.end; (${until}) >/dev/null 2>&1 &`);
        try {
            await change();
        } finally {
            await cluster.exec(worker, `touch ${log}.end; sleep 16`);
        }
        const text = await cluster.exec(worker, `cat ${log}`);
        const all = text
            .trim()
            .split("\n")
            .map((line) => line.split(" "));
        const beginning = Number(all[0]![0]);
        const good = all.filter(([, code]) => code === "200");
        const failed = all.filter(([, code]) => code !== "200");
        const failedAfter = failed.map(([at]) => Number(at) - beginning);
        const slowest = Math.max(...good.map(([, , seconds]) => Number(seconds)));
        console.log(
            `      ${good.length} answered, the slowest after ${slowest} s; not answered: ${failed.join("; ") || "none"}`,
        );
        return { answered: good.length, failedAfter };
    }

    before(async () => {
        await ensureEngine();
        await cluster.prepare(() => ({
            region: "fra1",
            controllers: { count: 3 },
            workerPools: [{ name: "default", count: 2 }],
            apiLoadBalancer: false,
        }));
    });
    after(() => cluster.destroy());

    it("starts with Ready nodes and pods, and resolves to each controller's address", async () => {
        await cluster.up();
        await cluster.ready();
        const known = await cluster.exec(worker, `getent ahostsv4 ${apiName} | cut -d ' ' -f 1 | sort -u`);
        assert.deepEqual(known.trim().split("\n").sort(), addresses());
        assert.equal(addresses().length, 3);
    });

    it("shows no change in a second up", async () => {
        assert.match((await cluster.up("--expect-no-changes")).stdout, /\d+ unchanged/);
    });

    it("rolls a flag of kube-apiserver without a failed request by name", async () => {
        await set("components.kubeApiserver.v", "1");
        const { failedAfter } = await asked(async () =>
            assert.match((await cluster.up()).stdout, /kube-apiserver updated/),
        );
        assert.deepEqual(failedAfter, []);
    });

    it("responds by name while one of the three is off, and recovers it", async () => {
        const { failedAfter, answered } = await asked(async () => {
            await powerOff("dothree", "dothree-controller-1");
            await sleep(60_000);
        });
        await powerOn("dothree", "dothree-controller-1");
        // While etcd elects another leader, the remaining ones may fail.
        assert.deepEqual(
            failedAfter.filter((seconds) => seconds > 10),
            [],
        );
        assert.ok(answered > 10);
        await cluster.ready();
    });

    it("adds another pool, and removes it", async () => {
        await set("workerPools[1].name", "batch");
        await cluster.up();
        await cluster.ready();
        await cluster.pulumi("config", "rm", "--path", "tradewind:workerPools[1]");
        await cluster.up();
        assert.doesNotMatch(await cluster.kubectl("get", "nodes", "-o", "name"), /batch/);
    });

    /** Changes the size of a pool's droplets, and checks that they are replaced one after another. */
    async function resize(path: string, count: number): Promise<void> {
        await set(path, "s-4vcpu-8gb");
        const { stdout } = await cluster.up();
        areResizedInTurn(stdout, count);
    }

    it("changes the size of its droplets, one after another, and stays available", async () => {
        const { failedAfter, answered } = await asked(() => resize("controllers.size", 3));
        await resize("workerPools[0].size", 2);
        const sizes = Object.values(cluster.account.resources.droplets).map(({ size }) => size);
        assert.deepEqual(new Set(sizes), new Set(["s-4vcpu-8gb"]));
        assert.doesNotMatch(await cluster.kubectl("get", "nodes"), /SchedulingDisabled|NotReady/);
        // The power is cut without notice, so an address is unresponsive for a moment.
        assert.ok(failedAfter.length < answered / 10, `${failedAfter.length} of ${answered}`);
    });

    it("is destroyed, leaving nothing in the account", async () => {
        await cluster.destroy();
        assert.deepEqual(cluster.account.left, []);
        assert.deepEqual(await list("dothree"), []);
    });
});
