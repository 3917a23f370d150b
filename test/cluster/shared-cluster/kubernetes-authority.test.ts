import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "node:tls";
import { writePrivate } from "../../../cli/private-file";
import { itTakesLong } from "../../takes-long";
import { type KubernetesObject, readText } from "../cluster";
import { describeTallies, Prober } from "../prober";
import { controllerTargets, likeKubernetes } from "../rollout";
import { shared, sharedCluster } from "../shared";

const controller = `${shared.name}-controller-0`;
const machines = [controller, `${shared.name}-default-0`, `${shared.name}-default-1`];
const first = "kubernetes-ca";
const second = "kubernetes-ca-2";

async function want(...generations: number[]): Promise<void> {
    await shared.pulumi("config", "rm", "--path", "tradewind:keys.kubernetesCa").catch(() => {});
    for (const [index, generation] of generations.entries()) {
        const path = `tradewind:keys.kubernetesCa[${index}]`;
        await shared.pulumi("config", "set", "--path", path, String(generation), "--plaintext");
    }
}

/** An `up` while the controller is asked, with the kubeconfig of before; then there is another one. */
async function upWithoutLoss(what: string): Promise<void> {
    const start = performance.now();
    const prober = new Prober(await controllerTargets(shared, controller), 880);
    await shared.pulumi("up", "--yes", "--skip-preview");
    // The last generation drains.
    await sleep(15_000);
    const tallies = await prober.stop();
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    console.log(`      ${what} in ${seconds} s: ${describeTallies(tallies)}`);
    const { stdout } = await shared.pulumi("stack", "output", "kubeconfig", "--show-secrets");
    writePrivate(shared.kubeconfig, stdout);
    assert.deepEqual(
        likeKubernetes(tallies).flatMap(({ failures }) => failures),
        [],
    );
}

/** The authority of what kube-apiserver shows. */
async function shownBy(): Promise<string> {
    const host = (await controllerTargets(shared, controller))[0]!.host;
    return new Promise((resolve, reject) => {
        const socket = connect({ host, port: 6443, rejectUnauthorized: false }, () => {
            resolve(socket.getPeerCertificate().issuer.CN as string);
            socket.destroy();
        });
        socket.once("error", reject);
    });
}

/** The authority of what each kubelet is known by. */
async function issuedToKubelets(): Promise<string[]> {
    const pems = await Promise.all(
        machines.map((machine) => shared.exec(machine, "cat /var/lib/kubelet/pki/kubelet-client-current.pem")),
    );
    return pems.map((pem) => new X509Certificate(pem).issuer.replace(/^.*CN=/s, ""));
}

async function readLogs(): Promise<void> {
    const names = await shared.kubectl("-n", "kube-system", "get", "pods", "-l", "k8s-app=kube-proxy", "-o", "name");
    for (const pod of names.trim().split("\n")) await shared.kubectl("-n", "kube-system", "logs", "--tail=1", pod);
}

/** What would not be the same of a machine that was made anew, or booted. */
async function machineIds(): Promise<string[]> {
    const { items } = await shared.get<{
        items: (KubernetesObject & { metadata: { uid: string }; status: { nodeInfo: { bootID: string } } })[];
    }>("nodes");
    return items.map(({ metadata, status }) => `${metadata.uid} ${status.nodeInfo.bootID}`).sort();
}

/** What a preview says when it refuses. */
const refusal = () =>
    shared.pulumi("preview").then(
        () => assert.fail("the preview refused nothing"),
        (error: Error) => error.message,
    );

describe("another Kubernetes authority of a running cluster", function () {
    this.timeout(1_800_000);

    before(async function () {
        this.timeout(600_000);
        await sharedCluster();
    });

    itTakesLong("comes in three ups, without a lost request and on the same machines", async () => {
        const ids = await machineIds();
        const old = `${shared.kubeconfig}-of-the-first-authority`;
        writeFileSync(old, readText(shared.kubeconfig), { mode: 0o600 });

        await want(2, 1);
        assert.match(await refusal(), /keys\.kubernetesCa must be a list that begins with one that is there/);

        await want(1, 2);
        assert.match((await shared.pulumi("preview")).stdout, /keys\.kubernetesCa: 2 is accepted from now on/);
        await upWithoutLoss("a second authority is trusted");
        assert.deepEqual([await shownBy(), ...(await issuedToKubelets())], [first, first, first, first]);
        await readLogs();

        await want(2);
        assert.match(await refusal(), /a list with the authority of the certificate that kube-apiserver shows/);

        await want(2, 1);
        const commands = [...(await refusal()).matchAll(/kubectl (-n \S+ rollout restart \S+):/g)].map(
            ([, args]) => args!,
        );
        assert.ok(
            commands.some((args) => args.endsWith("daemonset/kube-proxy")),
            commands.join("\n"),
        );
        for (const args of commands) {
            await shared.kubectl(...args.split(" "));
            const [, namespace, , , workload] = args.split(" ") as [string, string, string, string, string];
            await shared.kubectl("-n", namespace, "rollout", "status", workload, "--timeout=100s");
        }
        assert.match((await shared.pulumi("preview")).stdout, /keys\.kubernetesCa: 2 issues /);
        await upWithoutLoss("it issues");
        assert.deepEqual([await shownBy(), ...(await issuedToKubelets())], [second, second, second, second]);
        await readLogs();

        await want(2);
        await upWithoutLoss("the first is distrusted");
        await readLogs();
        await assert.rejects(shared.kubectl("--kubeconfig", old, "get", "nodes"), /certificate|Unauthorized/);
        assert.deepEqual(await machineIds(), ids);
        await shared.pulumi("preview", "--expect-no-changes");
    });
});
