import type { ApiClient } from "../../../clients/kubernetes/api-client";
import { checkpointerParent, copyAnnotation } from "../../checkpointer/plan";
import { etcdJoinApp } from "../../etcd/join/plan";

export interface Pod {
    readonly metadata: {
        readonly name: string;
        readonly namespace: string;
        readonly labels?: Readonly<Record<string, string>>;
        readonly annotations?: Readonly<Record<string, string>>;
        readonly deletionTimestamp?: string;
        readonly ownerReferences?: readonly { readonly kind: string; readonly controller?: boolean }[];
    };
    readonly spec?: { readonly nodeSelector?: Readonly<Record<string, string>> };
    readonly status?: { readonly phase?: string };
}

export async function podsOn(api: ApiClient, node: string): Promise<readonly Pod[]> {
    return (await api.call<{ items: Pod[] }>(`/api/v1/pods?fieldSelector=spec.nodeName%3D${node}`)).items;
}

/**
 * Whether it must end before its node may be removed. Pods of a DaemonSet, of the kubelet or of this agent need not.
 */
export function isEvictable(pod: Omit<Pod, "spec">): boolean {
    const isFinished = pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";
    const isOurs = pod.metadata.namespace === "kube-system" && pod.metadata.labels?.["k8s-app"] === etcdJoinApp;
    return !isFinished && !isStatic(pod) && !isOfDaemonSet(pod) && !isOurs;
}

/** Whether a DaemonSet runs it because its node has this label. */
export function isPlacedByLabel(pod: Pod, label: string): boolean {
    return !isStatic(pod) && isOfDaemonSet(pod) && pod.spec?.nodeSelector?.[label] !== undefined;
}

/** Whether it is a copy of another pod. The checkpointer's own copy exists for as long as the node is a controller. */
export function isStandIn({ metadata }: Pod): boolean {
    const parent = metadata.annotations?.[copyAnnotation];
    return parent !== undefined && parent !== checkpointerParent;
}

export function podName({ metadata: { namespace, name } }: Pod): string {
    return `${namespace}/${name}`;
}

function isStatic({ metadata }: Pick<Pod, "metadata">): boolean {
    return metadata.annotations?.["kubernetes.io/config.mirror"] !== undefined;
}

function isOfDaemonSet({ metadata }: Pick<Pod, "metadata">): boolean {
    return (metadata.ownerReferences ?? []).some(({ kind, controller }) => controller && kind === "DaemonSet");
}
