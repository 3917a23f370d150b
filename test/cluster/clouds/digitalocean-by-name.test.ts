import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { containerName, docker, ensureEngine, list } from "../../../machines";
import { describeLong } from "../../takes-long";
import { readText } from "../cluster";
import { probeTargets } from "../probe-targets";
import { describeTallies, Prober } from "../prober";
import { likeKubernetes } from "../rollout";
import { SimulatedCluster } from "../simulated-cluster";
import { simulatedDigitalOcean } from "../simulated-digitalocean";

const cluster = new SimulatedCluster("dnstest", simulatedDigitalOcean);
const apiName = "api.dnstest.tradewind.test";

describeLong("a cluster on a simulated DigitalOcean without a load balancer", function () {
    this.timeout(300_000);
    const controller = "dnstest-controller-0";
    const droplet = (name: string) =>
        Object.values(cluster.account.resources.droplets).find((each) => each.name === name)!;
    const addressOf = (name: string) => droplet(name).publicAddress!;

    before(async () => {
        await ensureEngine();
        await cluster.prepare((vpcCidr) => {
            // The host; nodes are allowed anyway.
            const apiAllowedCidrs = [vpcCidr.replace(/\d+\/\d+$/, "1/32")];
            return { region: "fra1", workerPools: [{ name: "default" }], apiLoadBalancer: false, apiAllowedCidrs };
        });
    });
    after(() => cluster.destroy());

    it("starts with Ready nodes and pods, and creates none", async () => {
        const { stdout } = await cluster.up();
        assert.match(stdout, /bootstrap: the first controller has the assets that start the cluster/);
        await cluster.ready();
        assert.deepEqual(cluster.account.resources.loadBalancers, {});
        assert.match(await cluster.kubectl("config", "view"), new RegExp(addressOf(controller)));
    });

    it("is reached by its nodes at the controller's public address", async () => {
        const found = await cluster.exec("dnstest-default-0", `getent ahostsv4 ${apiName} | cut -d ' ' -f 1 | sort -u`);
        assert.equal(found.trim(), addressOf(controller));
        const kept = await cluster.exec("dnstest-default-0", "cat /var/lib/kubelet/kubeconfig");
        assert.match(kept, new RegExp(apiName));
    });

    it("only allows this host and its nodes to connect", async () => {
        const ask = `curl -ksS -m 3 https://${addressOf(controller)}:6443/livez 2>&1 || true`;
        assert.equal(await cluster.exec("dnstest-default-0", ask), "ok");
        assert.equal(await cluster.exec(controller, ask), "ok");
        const outside = containerName("dnstest", "infra.service");
        assert.match(await docker(["exec", outside, "sh", "-c", ask]), /^curl: /);
        const probeTls = `timeout 2 bash -c '</dev/tcp/${addressOf(controller)}/2379' && echo open || echo shut`;
        assert.equal((await cluster.exec("dnstest-default-0", probeTls)).trim(), "shut");
    });

    it("rolls kube-apiserver without a failed request at the controller's public address", async () => {
        const args = [readText(cluster.kubeconfig), (...each: string[]) => cluster.kubectl(...each)] as const;
        const prober = new Prober(await probeTargets(addressOf(controller), ...args), 240);
        await cluster.pulumi("config", "set", "--path", "tradewind:components.kubeApiserver.v", "1", "--plaintext");
        assert.match((await cluster.up()).stdout, /kube-apiserver updated/);
        // The last generation drains.
        await sleep(15_000);
        const tallies = await prober.stop();
        console.log(`      ${describeTallies(tallies)}`);
        assert.deepEqual(
            likeKubernetes(tallies).flatMap(({ failures }) => failures),
            [],
        );
    });

    it("shows no change in a second up", async () => {
        assert.match((await cluster.up("--expect-no-changes")).stdout, /\d+ unchanged/);
    });

    it("moves to another address when its controller is replaced, under the same name", async () => {
        const before = addressOf(controller);
        await cluster.up("--replace", await cluster.urn("digitalocean:index/droplet:Droplet", controller));
        assert.notEqual(addressOf(controller), before);
        await cluster.ready();
    });

    it("is destroyed, leaving nothing in the account", async () => {
        await cluster.destroy();
        assert.deepEqual(cluster.account.left, []);
        assert.deepEqual(await list("dnstest"), []);
    });
});
