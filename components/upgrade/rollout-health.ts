import type { ApiObject, DaemonSet, Deployment } from "../../clients/kubernetes/objects";

/** A DaemonSet or a Deployment. */
export interface Workload extends ApiObject {
    readonly spec?: Deployment["spec"];
    readonly status?: DaemonSet["status"] & Deployment["status"];
}

/** Which of the named workloads lack pods, in words. @param spare - how many may be missing */
export function lacks(workloads: readonly Workload[], names: readonly string[], spare = 0): string[] {
    return workloads
        .filter(({ metadata }) => names.includes(metadata.name))
        .flatMap(({ metadata: { name }, spec, status = {} }) => {
            const desired = status.desiredNumberScheduled ?? spec?.replicas ?? 0;
            const ready = status.numberReady ?? status.readyReplicas ?? 0;
            return ready + spare < desired ? [`${name} has ${ready} of ${desired} pods Ready`] : [];
        });
}
