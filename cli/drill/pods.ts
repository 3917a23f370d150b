import { isReady } from "../ready";

/** What is read of a pod. */
export interface PodStatus {
    readonly metadata: { readonly name: string; readonly namespace: string };
    readonly spec: { readonly nodeName?: string };
    readonly status?: {
        readonly phase?: string;
        readonly conditions?: readonly { readonly type: string; readonly status: string }[];
        readonly containerStatuses?: readonly {
            readonly state?: { readonly running?: { readonly startedAt: string } };
        }[];
    };
}

/**
 * The pods of new machines whose status is still that of the old ones.
 *
 * A restored API says that all of them run, until the kubelets have said what is so.
 *
 * @param since when the old machines went, in milliseconds since 1970
 */
export function stalePods(pods: readonly PodStatus[], nodes: readonly string[], since: number): string[] {
    const isStale = ({ spec, status }: PodStatus) =>
        nodes.includes(spec.nodeName ?? "") &&
        status?.phase === "Running" &&
        (status.containerStatuses ?? []).some(({ state }) => {
            const startedAt = state?.running?.startedAt;
            return startedAt !== undefined && Date.parse(startedAt) < since;
        });
    return pods.filter(isStale).map(nameOf);
}

/** The pods that are to become Ready. One that failed is not: its owner has made another, or gave up before the drill. */
export function unreadyPods(pods: readonly PodStatus[]): string[] {
    return pods.filter((pod) => pod.status?.phase !== "Failed" && !isReady(pod)).map(nameOf);
}

/** What is read of a Deployment. */
export interface DeploymentStatus {
    readonly metadata: { readonly name: string; readonly namespace: string };
    readonly spec: { readonly replicas: number };
    readonly status?: { readonly availableReplicas?: number };
}

/** The Deployments that have fewer pods than they are to have; while nobody has looked at them yet, there are no pods to wait for. */
export function unavailableDeployments(deployments: readonly DeploymentStatus[]): string[] {
    return deployments
        .filter(({ spec, status }) => (status?.availableReplicas ?? 0) < spec.replicas)
        .map((deployment) => `Deployment ${nameOf(deployment)}`);
}

function nameOf({ metadata }: Pick<PodStatus, "metadata">): string {
    return `${metadata.namespace}/${metadata.name}`;
}
