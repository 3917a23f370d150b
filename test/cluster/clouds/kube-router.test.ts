import assert from "node:assert/strict";
import { ensureEngine } from "../../../machines";
import { images } from "../../../versions/images";
import { describeLong } from "../../takes-long";
import { eventually } from "../cluster";
import { WebPods } from "../cni/pods";
import { simulatedAws } from "../simulated-aws";
import { SimulatedCluster } from "../simulated-cluster";
import { simulatedDigitalOcean } from "../simulated-digitalocean";

const clusters = [
    { cloud: "AWS", cluster: new SimulatedCluster("awsrouter", simulatedAws), config: { zones: ["a", "b"] } },
    {
        cloud: "DigitalOcean",
        cluster: new SimulatedCluster("dorouter", simulatedDigitalOcean),
        config: { region: "fra1" },
    },
];

// Unlike the published image, that of the tests has nft.
const image = images.kubeRouter;

for (const { cloud, cluster, config } of clusters) {
    describeLong(`kube-router as the CNI on a simulated ${cloud}`, function () {
        this.timeout(400_000);
        const web = new WebPods(cluster);
        const set = (path: string, value: string) =>
            cluster.pulumi("config", "set", "--path", `tradewind:${path}`, value, "--plaintext");
        const podNetworks = async () =>
            (await cluster.get<{ items: { metadata: { name: string } }[] }>("daemonsets", "-n", "kube-system")).items
                .map(({ metadata }) => metadata.name)
                .filter((name) => ["flannel", "kube-router"].includes(name));

        before(async function () {
            this.timeout(900_000);
            await ensureEngine();
            await cluster.prepare(() => ({
                ...config,
                networkPolicies: "enforced",
                workerPools: [{ name: "default" }],
            }));
            await cluster.up();
            await cluster.ready();
            await eventually(
                "two nodes",
                async () => {
                    assert.equal((await cluster.get<{ items: unknown[] }>("nodes")).items.length, 2);
                    await cluster.kubectl("wait", "node", "--all", "--for=condition=Ready", "--timeout=5s");
                },
                180,
            );
            await web.start();
            await web.reachEachOther();
        });
        after(() => cluster.destroy());

        it("needs an image that can make its tunnels", async () => {
            await set("cni", "kube-router");
            await assert.rejects(
                cluster.pulumi("preview", "--non-interactive"),
                new RegExp(`network.cni kube-router on ${cloud} requires images.kubeRouter`),
            );
        });

        it("takes over from flannel, through firewalls, while pods keep running", async () => {
            const before = web.pods.map(({ metadata, status }) => `${metadata.name} ${status.podIP}`);
            await set("images.kubeRouter", image);
            const { stdout } = await cluster.pulumi("preview", "--non-interactive");
            assert.match(stdout, /the pod network changes from flannel to kube-router/);
            await cluster.up();
            assert.deepEqual(await podNetworks(), ["kube-router"]);
            await web.reachEachOther();
            await web.reachService();
            await web.find();
            assert.deepEqual(
                web.pods.map(({ metadata, status }) => `${metadata.name} ${status.podIP}`),
                before,
            );
            await cluster.pulumi("preview", "--non-interactive", "--expect-no-changes");
        });

        it("is replaced by flannel again", async () => {
            await set("cni", "flannel");
            await cluster.up();
            await web.reachEachOther();
            await web.reachService();
            assert.deepEqual(await podNetworks(), ["flannel", "kube-router"]);
        });

        it("is destroyed, and leaves nothing in the account", async () => {
            await cluster.destroy();
            assert.deepEqual(cluster.account.left, []);
        });
    });
}
