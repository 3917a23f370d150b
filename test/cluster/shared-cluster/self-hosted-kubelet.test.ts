import assert from "node:assert/strict";
import { itLong } from "../../takes-long";
import { kubeletsOn, podsFlags, podsWork, untilKubelets } from "../kubelets-seen";
import { describeTallies, Prober } from "../prober";
import { controllerTargets, likeKubernetes } from "../rollout";
import { shared, sharedCluster } from "../shared";

const controller = `${shared.name}-controller-0`;
const worker = `${shared.name}-default-0`;
const nodes = [controller, worker, `${shared.name}-default-1`];

const seen = (node: string) => kubeletsOn(shared, node);

interface Pod {
    readonly metadata: { readonly name: string; readonly labels?: Record<string, string> };
    readonly status: { readonly containerStatuses?: { readonly containerID?: string }[] };
}

/** Containers that have no reason to restart here. */
async function others(): Promise<string[]> {
    const { items } = await shared.get<{ items: Pod[] }>("pods", "-A");
    return items
        .filter(({ metadata }) => !["kubelet", "node-agent"].includes(metadata.labels?.["k8s-app"] ?? ""))
        .flatMap(({ metadata, status }) =>
            (status.containerStatuses ?? []).map(({ containerID }) => `${metadata.name} ${containerID}`),
        )
        .sort();
}

const up = () => shared.pulumi("up", "--yes", "--skip-preview");

const timed = (node: string, what: string, expected: readonly string[]) => untilKubelets(shared, node, what, expected);

/** Kills the pod's kubelet, like a crash. */
const kill = (node: string) => shared.exec(node, "kill -9 $(cat /run/kubelet-pod.pid)");

describe("kubelets that run as pods", function () {
    this.timeout(1_800_000);

    before(() => sharedCluster());

    itLong(
        "are created and removed by an up, and hand a node to its host's kubelet when they exit, with no failed request",
        async () => {
            const before = await others();
            const prober = new Prober(await controllerTargets(shared, controller), 1_700);

            await shared.pulumi("config", "set", "--path", "tradewind:selfHosted.kubelet", "true");
            try {
                await up();
                for (const node of nodes) assert.deepEqual(await seen(node), podsWork, node);
                await shared.pulumi("preview", "--expect-no-changes");

                for (const node of [controller, worker]) {
                    await kill(node);
                    await timed(node, "the host's kubelet works", ["holds host"]);
                    await timed(node, "the pod's kubelet works again", podsWork);
                }
                const pods = ["-n", "kube-system", "pods", "-l", "k8s-app=kubelet"];
                await shared.kubectl("delete", ...pods);
                for (const node of nodes) await timed(node, "a pod that was deleted is followed by another", podsWork);

                await shared.pulumi("config", "set", "--path", "tradewind:components.kubelet.v", "1", "--plaintext");
                await up();
                for (const node of nodes) {
                    await timed(node, "the pod's kubelet works with another flag", podsWork);
                    const flags = await podsFlags(shared, node);
                    assert.match(flags, / --v=1 /, node);
                }
            } finally {
                await shared.pulumi("config", "rm", "tradewind:selfHosted");
                await shared.pulumi("config", "rm", "--path", "tradewind:components.kubelet");
                await up();
            }
            for (const node of nodes) assert.deepEqual(await seen(node), ["free host"], node);
            await shared.pulumi("preview", "--expect-no-changes");
            const tallies = await prober.stop();
            console.log(`      ${describeTallies(tallies)}`);
            assert.deepEqual(
                likeKubernetes(tallies).flatMap(({ failures }) => failures),
                [],
            );
            assert.deepEqual(await others(), before, "no other container restarted");
        },
    );
});
