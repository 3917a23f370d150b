import { type ApiClient, list, patch } from "./api-client";
import { ifFound } from "./api-error";
import type { Lease, Pod } from "./objects";

const manager = "kube-controller-manager";

/** Path of the lease of kube-controller-manager's leader. */
export const leasePath = `/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/${manager}`;

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
        if (hasEnded(lease, await list<Pod>(api, `/api/v1/namespaces/kube-system/pods?${onNode}`))) {
            await release(api, lease);
        }
    };
}

/** Releases a lease, unless it has changed since it was read: nothing is taken from a new leader. */
export async function release(api: ApiClient, { metadata: { resourceVersion } }: Lease): Promise<void> {
    await patch(api, leasePath, "merge", { metadata: { resourceVersion }, spec: { holderIdentity: "" } });
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
