import assert from "node:assert/strict";
import { ensure } from "../../../artifacts";
import { firstRuntime } from "../../../artifacts/items";
import type { StackConfig } from "../../../local/stack-config";
import { ensureEngine, list, reboot } from "../../../machines";
import { describeLong } from "../../takes-long";
import { eventually } from "../cluster";
import { simulatedAws, ubuntuAmi } from "../simulated-aws";
import { type SimulatedCloud, SimulatedCluster } from "../simulated-cluster";
import { simulatedDigitalOcean } from "../simulated-digitalocean";

comesUp("awsinit", simulatedAws, { zones: ["a"], image: ubuntuAmi }, (account) =>
    account
        .all("instances")
        .filter(({ createdBy }) => createdBy !== undefined)
        .map(({ machine }) => machine),
);
// A stock distribution image, without a container runtime.
const stock = { region: "fra1", image: "ubuntu-26-04-x64" };
comesUp("doinit", simulatedDigitalOcean, stock, () => ["doinit-default-0"], true);

function comesUp<Account extends { readonly left: readonly unknown[] }>(
    name: string,
    cloud: SimulatedCloud<Account>,
    config: StackConfig,
    workersOf: (account: Account) => string[],
    fetchesRuntime = false,
): void {
    describeLong(`a cluster with cloud-init on a simulated ${cloud.cloud}`, function () {
        this.timeout(420_000);
        const cluster = new SimulatedCluster(name, cloud);
        const controller = `${name}-controller-0`;
        const rebooted = async (machine: string, observe: string) => {
            await reboot(name, machine);
            return eventually("containerd after a reboot", () => cluster.exec(machine, observe));
        };
        const all = () => [controller, ...workersOf(cluster.account)].sort();

        before(async () => {
            await ensureEngine();
            await cluster.prepare(() => ({ os: "cloud-init", workerPools: [{ name: "default" }], ...config }));
            if (!fetchesRuntime) return;
            await ensure({ only: [firstRuntime], say: () => {} });
            await cluster.fetchRuntime();
        });
        after(() => cluster.destroy());

        it("starts from user-data alone", async () => {
            assert.match((await cluster.up()).stdout, /bootstrap: pivoted at /);
            await cluster.ready(workersOf(cluster.account));
            const nodes = (await cluster.kubectl("get", "nodes", "-o", "name")).trim().split("\n");
            assert.deepEqual(
                nodes.sort(),
                all().map((each) => `node/${each}`),
            );
            for (const machine of all()) {
                const { v1 } = JSON.parse(await cluster.exec(machine, "cat /run/cloud-init/result.json"));
                assert.deepEqual(v1.errors, []);
            }
        });

        if (fetchesRuntime) {
            it("runs the configured container runtime, also after a reboot", async () => {
                // After a boot it starts a while after the machine answers.
                const observe =
                    "until pidof containerd >/dev/null; do sleep 1; done; readlink /proc/$(pidof containerd)/exe; stat -Lc %s /usr/bin/runc; readlink /opt/tradewind/container-runtime/current";
                const [first, second] = [await cluster.exec(controller, observe), await rebooted(controller, observe)];
                assert.match(first, /^\/opt\/tradewind\/container-runtime\/(\S+)\/containerd\n[1-9]\d+\n\1\n$/);
                assert.equal(second, first);
                await cluster.ready(workersOf(cluster.account));
            });
        }

        it("shows no change in a second up", async () => {
            assert.match((await cluster.up("--expect-no-changes")).stdout, /\d+ unchanged/);
        });

        it("is destroyed, leaving nothing in the account", async () => {
            await cluster.destroy();
            assert.deepEqual(cluster.account.left, []);
            assert.deepEqual(await list(name), []);
        });
    });
}
