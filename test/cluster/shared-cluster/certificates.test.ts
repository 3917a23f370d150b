import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "node:tls";
import { itLong } from "../../takes-long";
import { describeTallies, Prober } from "../prober";
import { controllerTargets, likeKubernetes } from "../rollout";
import { shared, sharedCluster } from "../shared";

const controller = `${shared.name}-controller-0`;
const set = (path: string, value: string) =>
    shared.pulumi("config", "set", "--path", `tradewind:${path}`, value, "--plaintext");
const keys = async (...generations: number[]) => {
    for (const [index, generation] of generations.entries()) {
        await set(`keys.serviceAccount[${index}]`, String(generation));
    }
};
const up = () => shared.pulumi("up", "--yes", "--skip-preview");

/** SHA-256 of the certificate that a server presents. */
function shown(host: string, port: number): Promise<string> {
    return new Promise((resolve, reject) => {
        const socket = connect({ host, port, rejectUnauthorized: false }, () => {
            resolve(socket.getPeerCertificate().fingerprint256);
            socket.destroy();
        });
        socket.once("error", reject);
    });
}

/** Requests something of a pod from every node's kubelet. */
async function readLogs(): Promise<void> {
    const names = await shared.kubectl("-n", "kube-system", "get", "pods", "-l", "k8s-app=kube-proxy", "-o", "name");
    for (const pod of names.trim().split("\n")) await shared.kubectl("-n", "kube-system", "logs", "--tail=1", pod);
}

const etcdPid = async () => (await shared.exec(controller, "pgrep -x etcd")).trim();

describe("certificates, keys and kubelets of a running cluster", function () {
    this.timeout(900_000);

    before(async function () {
        this.timeout(600_000);
        await sharedCluster();
    });

    itLong("change in an up, without a failed request", async () => {
        const targets = await controllerTargets(shared, controller);
        const { host } = targets[0]!;
        const servers = async () => [await shown(host, 6443), await shown(host, 2379), await shown(host, 10250)];
        await set("certificates.kubeletServing", "own");
        await up();
        const [before, pid] = [await servers(), await etcdPid()];
        const prober = new Prober(targets, 880);

        await set("certificates.generation", "2");
        await keys(1, 2);
        await up();
        const reissued = await servers();
        assert.deepEqual(
            reissued.map((each, index) => each === before[index]),
            [false, false, true],
            "kube-apiserver's and etcd's changed, the kubelet's did not",
        );
        assert.equal(await etcdPid(), pid, "etcd was not restarted for it");

        await set("certificates.kubeletServing", "issued");
        await set("components.kubelet.v", "1");
        await keys(2, 1);
        await up();
        await readLogs();
        assert.notEqual((await servers())[2], before[2]);
        const commandLine = "tr '\\0' ' ' </proc/$(pgrep -x kubelet)/cmdline";
        for (const node of [controller, `${shared.name}-default-0`, `${shared.name}-default-1`]) {
            assert.match(await shared.exec(node, commandLine), / --v=1( |$)/, node);
        }

        await set("certificates.kubeletServing", "verified");
        await up();
        await readLogs();
        await shared.pulumi("preview", "--expect-no-changes");
        // The last generation drains.
        await sleep(15_000);
        const tallies = await prober.stop();
        console.log(`      ${describeTallies(tallies)}`);
        assert.deepEqual(
            likeKubernetes(tallies).flatMap(({ failures }) => failures),
            [],
        );
    });
});
