import { plainVersion } from "../../../components/cluster/version";
import { controllerLabel } from "../../../components/control-plane/pod";
import { poolLabel } from "../../../components/nodes/pool-label";
import type { LeaderFacts, NodeFacts, WorkloadFacts } from "../facts";
import type { DaemonSet, Deployment, Lease, Node } from "./objects";
import { secondsSince } from "./time";

export function nodeFacts({ metadata, spec, status }: Node): NodeFacts {
    const ready = (status.conditions ?? []).find(({ type }) => type === "Ready");
    const isReady = ready?.status === "True";
    return {
        name: metadata.name,
        address: (status.addresses ?? []).find(({ type }) => type === "InternalIP")?.address,
        isController: controllerLabel in (metadata.labels ?? {}),
        isReady,
        problem: isReady ? undefined : (ready?.message ?? "its kubelet has not reported yet"),
        isCordoned: spec.unschedulable === true,
        kubelet: plainVersion(status.nodeInfo.kubeletVersion),
        pool: metadata.labels?.[poolLabel],
    };
}

/** Who leads, by a lease, read at the given moment: milliseconds since 1970. */
export function leaderFacts({ metadata, spec }: Lease, now: number): LeaderFacts {
    return {
        component: metadata.name,
        // `<host name>_<random>`.
        node: spec.holderIdentity?.replace(/_[^_]*$/, "") || undefined,
        ageSeconds: secondsSince(spec.renewTime, now),
        leaseSeconds: spec.leaseDurationSeconds ?? 15,
    };
}

export function workloadFacts(daemonSets: readonly DaemonSet[], deployments: readonly Deployment[]): WorkloadFacts[] {
    return [
        ...daemonSets.map(({ metadata, status }) => ({
            kind: "DaemonSet" as const,
            name: metadata.name,
            wanted: status.desiredNumberScheduled,
            present: status.currentNumberScheduled,
        })),
        ...deployments.map(({ metadata, spec, status }) => ({
            kind: "Deployment" as const,
            name: metadata.name,
            wanted: spec.replicas ?? 1,
            present: status.replicas ?? 0,
        })),
    ];
}
