import { type Caller, list } from "../../../clients/kubernetes/api-client";
import type { PersistentVolume, Pod } from "../../../clients/kubernetes/objects";
import type { StrandedPod } from "../facts";

/** Timeout of a call in milliseconds. */
const CALL_MS = 2_000;

/** Pods that no node takes because their volume is on a node that does not exist. */
export async function strandedPods(api: Caller, nodes: Promise<readonly string[]>): Promise<StrandedPod[]> {
    const call = { timeoutMilliseconds: CALL_MS };
    const pending = encodeURIComponent("status.phase=Pending,spec.nodeName=");
    const [pods, volumes, names] = await Promise.all([
        list<Pod>(api, `/api/v1/pods?limit=500&fieldSelector=${pending}`, call),
        list<PersistentVolume>(api, "/api/v1/persistentvolumes?limit=500", call),
        nodes,
    ]);
    return strandedBy(pods, volumes, names);
}

const hostName = "kubernetes.io/hostname";

export function strandedBy(
    pods: readonly Pod[],
    volumes: readonly PersistentVolume[],
    nodes: readonly string[],
): StrandedPod[] {
    const lost = new Map(
        volumes.flatMap(({ metadata, spec: { claimRef, nodeAffinity } }) => {
            const hosts = (nodeAffinity?.required?.nodeSelectorTerms ?? []).flatMap(({ matchExpressions = [] }) =>
                matchExpressions.flatMap(({ key, values = [] }) => (key === hostName ? values : [])),
            );
            const isLost = claimRef && hosts.length > 0 && hosts.every((host) => !nodes.includes(host));
            const volume = { volume: metadata.name, node: hosts[0]! };
            return isLost ? [[`${claimRef.namespace}/${claimRef.name}`, volume] as const] : [];
        }),
    );
    return pods.flatMap(({ metadata: { name, namespace = "" }, spec }) =>
        (spec.volumes ?? []).flatMap(({ persistentVolumeClaim }): StrandedPod[] => {
            const claim = persistentVolumeClaim?.claimName;
            const volume = claim === undefined ? undefined : lost.get(`${namespace}/${claim}`);
            return volume ? [{ namespace, name, claim: claim!, ...volume }] : [];
        }),
    );
}
