import { setTimeout as sleep } from "node:timers/promises";
import * as pulumi from "@pulumi/pulumi";
import { type ApiClient, list, patch, withKubeconfig } from "../../clients/kubernetes/api-client";
import { ifFound } from "../../clients/kubernetes/api-error";
import { isRolledOut } from "../../clients/kubernetes/daemon-sets";
import type { DaemonSet, Lease, Pod } from "../../clients/kubernetes/objects";
import type { Cluster } from "../../cluster/model";
import { knownValue } from "../pulumi/engine";
import { inProgram } from "../pulumi/hooks";

const manager = "kube-controller-manager";
const system = "namespaces/kube-system";
const leasePath = `/apis/coordination.k8s.io/v1/${system}/leases/${manager}`;

/** A leader renews its lease every two seconds. */
const silentMilliseconds = 3_000;

/**
 * Releases the lease of a kube-controller-manager that has ended: it does not do so itself, and its successor would wait
 * for 15 seconds, in which no pod is replaced.
 *
 * @returns a function to call again and again during a rollout. It throws errors of the API
 */
export function leaseReleaser(api: ApiClient): () => Promise<void> {
    let renewed: string | undefined;
    let since = 0;
    return async () => {
        const lease = await ifFound(api.call<Lease>(leasePath));
        const { holderIdentity = "", renewTime } = lease?.spec ?? {};
        if (renewTime !== renewed) [renewed, since] = [renewTime, performance.now()];
        if (lease === undefined || performance.now() - since < silentMilliseconds) return;
        const onNode = `fieldSelector=${encodeURIComponent(`spec.nodeName=${nodeOf(holderIdentity)}`)}`;
        if (!hasEnded(lease, await list<Pod>(api, `/api/v1/${system}/pods?${onNode}`))) return;
        // With its version, so that nothing is taken from a new leader.
        const { resourceVersion } = lease.metadata;
        await patch(api, leasePath, "merge", { metadata: { resourceVersion }, spec: { holderIdentity: "" } });
    };
}

/**
 * Whether the holder of a lease no longer runs: on its node, each process of that program started after the holder had
 * become the leader. Both times are by the node's clock.
 *
 * @param pods - of the holder's node
 */
export function hasEnded({ spec = {} }: Lease, pods: readonly Pod[]): boolean {
    const { holderIdentity = "", acquireTime = "" } = spec;
    const acquired = Date.parse(acquireTime);
    const node = nodeOf(holderIdentity);
    const own = pods.filter(({ spec: pod }) => pod.nodeName === node && pod.containers.some(isManager));
    const starts = own.map(({ status }) => {
        const { state } = status?.containerStatuses?.find(isManager) ?? {};
        if (state?.terminated || state?.waiting) return Infinity;
        // Unknown if it is missing.
        return Date.parse(state?.running?.startedAt ?? "");
    });
    return node !== "" && own.length > 0 && starts.every((start) => start > acquired);
}

function isManager({ name }: { readonly name: string }): boolean {
    return name === manager;
}

/** The host's name: `a` of `a_0b7c…`. */
function nodeOf(identity: string): string {
    return identity.slice(0, Math.max(0, identity.lastIndexOf("_")));
}

/** Releases that lease during the stack's own rollout of kube-controller-manager. */
export function endedLeaderHook(cluster: Cluster, kubeconfig: pulumi.Output<string>): pulumi.ResourceHook {
    const begin = async () => {
        const text = await knownValue(kubeconfig);
        // The rollout starts after the hook, which must not wait for it.
        if (text !== undefined) void withKubeconfig(text, "tradewind-up", (api) => duringRollout(api, cluster));
    };
    return new pulumi.ResourceHook(`${cluster.name}-ended-leader`, inProgram(begin));
}

async function duringRollout(api: ApiClient, { rolloutSeconds }: Cluster): Promise<void> {
    const release = leaseReleaser(api);
    const deadline = performance.now() + rolloutSeconds * 1000;
    let before: number | undefined;
    while (performance.now() < deadline) {
        try {
            const set = await api.call<DaemonSet>(`/apis/apps/v1/${system}/daemonsets/${manager}`);
            before ??= set.metadata.generation;
            if (set.metadata.generation !== before && isRolledOut(set)) return;
            await release();
        } catch {
            // The lease expires without this, too.
        }
        // Neither this nor an open connection is to keep the program running.
        api.reconnect();
        await sleep(1_000, undefined, { ref: false });
    }
}
