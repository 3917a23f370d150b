import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { paths } from "../../../cluster/paths";
import { ensureEngine, list } from "../../../machines";
import { describeLong } from "../../takes-long";
import { type KubernetesObject, readText } from "../cluster";
import { describeTallies, Prober } from "../prober";
import { likeKubernetes, loadBalancerTargets } from "../rollout";
import { SimulatedCluster } from "../simulated-cluster";
import { simulatedDigitalOcean } from "../simulated-digitalocean";

const cluster = new SimulatedCluster("doca", simulatedDigitalOcean);
const machines = ["doca-controller-0", "doca-default-0"];
const first = "kubernetes-ca";
const second = "kubernetes-ca-2";

describeLong("a rotation of the Kubernetes CA of a cluster on a simulated DigitalOcean", function () {
    this.timeout(900_000);
    let ids: readonly string[];

    before(async () => {
        await ensureEngine();
        await cluster.prepare(() => ({ region: "fra1", workerPools: [{ name: "default" }] }));
        await cluster.up();
        await cluster.ready();
        ids = await machineIds();
    });
    after(() => cluster.destroy());

    it("takes three ups, without a failed request and on the same droplets", async () => {
        const old = `${cluster.kubeconfig}-of-the-first-authority`;
        writeFileSync(old, readText(cluster.kubeconfig), { mode: 0o600 });

        await want(1, 2);
        await upWithoutLoss("a second CA is trusted");
        assert.deepEqual(await issuedToKubelets(), [first, first]);

        await want(2, 1);
        await restartReaders();
        await upWithoutLoss("it issues");
        assert.deepEqual(await issuedToKubelets(), [second, second]);

        await want(2);
        await upWithoutLoss("the first is distrusted");
        await assert.rejects(cluster.kubectl("--kubeconfig", old, "get", "nodes"), /certificate|Unauthorized/);
        assert.deepEqual(await machineIds(), ids);
        await cluster.up("--expect-no-changes");
    });

    it("leaves only the new CA for a worker that joins afterwards", async () => {
        await set("workerPools[0].count", "2");
        await cluster.up();
        await cluster.ready();
        assert.deepEqual(await issuedToKubelets(["doca-default-1"]), [second]);
        const text = await cluster.exec("doca-default-1", `cat ${paths.ca}`);
        assert.match(new X509Certificate(text).subject, /CN=kubernetes-ca-2$/);
        assert.equal(text.match(/BEGIN CERTIFICATE/g)?.length, 1);
    });

    it("is destroyed, leaving nothing in the account", async () => {
        await cluster.destroy();
        assert.deepEqual(cluster.account.left, []);
        assert.deepEqual(await list("doca"), []);
    });
});

function set(path: string, value: string): Promise<unknown> {
    return cluster.pulumi("config", "set", "--path", `tradewind:${path}`, value, "--plaintext");
}

async function want(...generations: number[]): Promise<void> {
    await cluster.pulumi("config", "rm", "--path", "tradewind:keys.kubernetesCa").catch(() => {});
    for (const [index, generation] of generations.entries()) {
        await set(`keys.kubernetesCa[${index}]`, String(generation));
    }
}

/** An `up` during requests through the load balancer with the old kubeconfig; it is replaced afterwards. */
async function upWithoutLoss(what: string): Promise<void> {
    const start = performance.now();
    const prober = new Prober(await loadBalancerTargets(cluster), 880);
    let tallies: Awaited<ReturnType<Prober["stop"]>>;
    try {
        await cluster.up();
        // The last generation drains.
        await sleep(15_000);
    } finally {
        tallies = await prober.stop();
        const seconds = ((performance.now() - start) / 1000).toFixed(0);
        console.log(`      ${what} in ${seconds} s: ${describeTallies(tallies)}`);
    }
    await cluster.ready();
    assert.deepEqual(
        likeKubernetes(tallies).flatMap(({ failures }) => failures),
        [],
    );
}

/** Restarts the pods listed by the preview, which started before they could know the new CA. */
async function restartReaders(): Promise<void> {
    const refusal = await cluster.pulumi("preview", "--non-interactive").then(
        () => assert.fail("the preview was not rejected"),
        (error: Error) => error.message,
    );
    const commands = [...refusal.matchAll(/kubectl -n (\S+) rollout restart (\S+):/g)];
    assert.ok(commands.length > 0, refusal);
    for (const [, namespace, workload] of commands as unknown as [string, string, string][]) {
        await cluster.kubectl("-n", namespace, "rollout", "restart", workload);
        await cluster.kubectl("-n", namespace, "rollout", "status", workload, "--timeout=100s");
    }
}

/** The CA of each kubelet's client certificate. */
async function issuedToKubelets(names: readonly string[] = machines): Promise<string[]> {
    const pems = await Promise.all(
        names.map((name) => cluster.exec(name, "cat /var/lib/kubelet/pki/kubelet-client-current.pem")),
    );
    return pems.map((pem) => new X509Certificate(pem).issuer.replace(/^.*CN=/s, ""));
}

/** What would change on a droplet that was replaced or rebooted. */
async function machineIds(): Promise<string[]> {
    const { items } = await cluster.get<{
        items: (KubernetesObject & { metadata: { uid: string }; status: { nodeInfo: { bootID: string } } })[];
    }>("nodes");
    const droplets = Object.entries(cluster.account.resources.droplets).map(([id, { name }]) => `${name} ${id}`);
    return [...droplets, ...items.map(({ metadata, status }) => `${metadata.uid} ${status.nodeInfo.bootID}`)].sort();
}
