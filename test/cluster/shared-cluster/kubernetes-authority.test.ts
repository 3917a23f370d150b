import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "node:tls";
import { itLong } from "../../takes-long";
import { issuedToKubelets, refusal, restartReaders, takeKubeconfig, wantAuthorities } from "../authority-steps";
import { type KubernetesObject, readText } from "../cluster";
import { describeTallies, Prober } from "../prober";
import { controllerTargets, likeKubernetes } from "../rollout";
import { shared, sharedCluster } from "../shared";

const controller = `${shared.name}-controller-0`;
const machines = [controller, `${shared.name}-default-0`, `${shared.name}-default-1`];
const first = "kubernetes-ca";
const second = "kubernetes-ca-2";

const want = (...generations: number[]) => wantAuthorities(shared, ...generations);

/** An `up` during requests to the controller with the old kubeconfig; it is replaced afterwards. */
async function upWithoutLoss(what: string): Promise<void> {
    const start = performance.now();
    const prober = new Prober(await controllerTargets(shared, controller), 880);
    await shared.pulumi("up", "--yes", "--skip-preview");
    // The last generation drains.
    await sleep(15_000);
    const tallies = await prober.stop();
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    console.log(`      ${what} in ${seconds} s: ${describeTallies(tallies)}`);
    await takeKubeconfig(shared);
    assert.deepEqual(
        likeKubernetes(tallies).flatMap(({ failures }) => failures),
        [],
    );
}

/** The CA of kube-apiserver's serving certificate. */
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

async function readLogs(): Promise<void> {
    const names = await shared.kubectl("-n", "kube-system", "get", "pods", "-l", "k8s-app=kube-proxy", "-o", "name");
    for (const pod of names.trim().split("\n")) await shared.kubectl("-n", "kube-system", "logs", "--tail=1", pod);
}

/** What would change on a machine that was recreated or rebooted. */
async function machineIds(): Promise<string[]> {
    const { items } = await shared.get<{
        items: (KubernetesObject & { metadata: { uid: string }; status: { nodeInfo: { bootID: string } } })[];
    }>("nodes");
    return items.map(({ metadata, status }) => `${metadata.uid} ${status.nodeInfo.bootID}`).sort();
}

describe("a rotation of the Kubernetes CA of a running cluster", function () {
    this.timeout(1_800_000);

    before(async function () {
        this.timeout(600_000);
        await sharedCluster();
    });

    itLong("takes three ups, without a failed request and on the same machines", async () => {
        const ids = await machineIds();
        const old = `${shared.kubeconfig}-of-the-first-authority`;
        writeFileSync(old, readText(shared.kubeconfig), { mode: 0o600 });

        await want(2, 1);
        assert.match(
            await refusal(shared),
            /keys\.kubernetesCa must be a list that begins with an existing generation/,
        );

        await want(1, 2);
        assert.match((await shared.pulumi("preview")).stdout, /keys\.kubernetesCa: 2 is now accepted/);
        await upWithoutLoss("a second CA is trusted");
        assert.deepEqual(
            [await shownBy(), ...(await issuedToKubelets(shared, machines))],
            [first, first, first, first],
        );
        await readLogs();

        await want(2);
        assert.match(await refusal(shared), /a list with the CA of kube-apiserver's certificate/);

        await want(2, 1);
        const restarted = await restartReaders(shared);
        assert.ok(restarted.includes("daemonset/kube-proxy"), restarted.join("\n"));
        assert.match((await shared.pulumi("preview")).stdout, /keys\.kubernetesCa: 2 issues /);
        await upWithoutLoss("it issues");
        assert.deepEqual(
            [await shownBy(), ...(await issuedToKubelets(shared, machines))],
            [second, second, second, second],
        );
        await readLogs();

        await want(2);
        await upWithoutLoss("the first is distrusted");
        await readLogs();
        await assert.rejects(shared.kubectl("--kubeconfig", old, "get", "nodes"), /certificate|Unauthorized/);
        assert.deepEqual(await machineIds(), ids);
        await shared.pulumi("preview", "--expect-no-changes");
    });
});
