/** A DaemonSet or a Deployment. */
export interface Workload {
    readonly metadata: { readonly name: string };
    /** Set for a Deployment. */
    readonly spec: object & { readonly replicas?: number };
    readonly status: {
        readonly desiredNumberScheduled?: number;
        readonly numberReady?: number;
        readonly readyReplicas?: number;
    };
}

/** Which of the named workloads lack pods, in words. @param spare - how many may be missing */
export function lacks(workloads: readonly Workload[], names: readonly string[], spare = 0): string[] {
    return workloads
        .filter(({ metadata }) => names.includes(metadata.name))
        .flatMap(({ metadata: { name }, spec: { replicas }, status }) => {
            const wanted = status.desiredNumberScheduled ?? replicas ?? 0;
            const ready = status.numberReady ?? status.readyReplicas ?? 0;
            return ready + spare < wanted ? [`${name} has ${ready} of ${wanted} pods Ready`] : [];
        });
}
