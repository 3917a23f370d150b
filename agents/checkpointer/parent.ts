import type { NodePod } from "../../clients/kubernetes/kubelet-api";
import { controllerOf } from "../../clients/kubernetes/objects";
import { isStatic } from "../../clients/kubernetes/pods";
import { type CheckpointerPlan, checkpointAnnotation, copyAnnotation, namespace } from "./plan";

/** What both the API and the container runtime have about a pod. */
export interface PodIdentity {
    readonly name: string;
    readonly namespace: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
}

type Planned = Pick<CheckpointerPlan, "parents">;

/**
 * The parent of a pod whose copies are kept, or undefined: a parent in the plan, if its pod has the annotation. Static
 * pods have their own file.
 *
 * Only by namespace, labels and name: the container runtime has nothing more, and it alone is available when the API is
 * down.
 */
export function parentOf(pod: PodIdentity, { parents }: Planned): string | undefined {
    const { annotations = {} } = pod;
    const isFromFile = (annotations["kubernetes.io/config.source"] ?? "api") !== "api" || isStatic({ metadata: pod });
    if (annotations[checkpointAnnotation] !== "true" || isFromFile || copyAnnotation in annotations) {
        return undefined;
    }
    const name = setOf(pod);
    const parent = `${namespace}/${name}`;
    return name !== undefined && parents.includes(parent) ? parent : undefined;
}

/** The same for a pod listed by the API, which also has its owner: that must be the parent's DaemonSet. */
export function listedParentOf(pod: Pick<NodePod, "metadata">, plan: Planned): string | undefined {
    const parent = parentOf(pod.metadata, plan);
    const owner = controllerOf(pod);
    return owner?.kind === "DaemonSet" && parent === `${namespace}/${owner.name}` ? parent : undefined;
}

/** The DaemonSet that a pod belongs to, by name and labels, which Deployments and StatefulSets format differently. */
function setOf({ name, namespace: own, labels = {} }: PodIdentity): string | undefined {
    const isOfSet =
        own === namespace &&
        "controller-revision-hash" in labels &&
        !("statefulset.kubernetes.io/pod-name" in labels) &&
        !("pod-template-hash" in labels);
    return isOfSet ? /^(.+)-[a-z0-9]{5}$/.exec(name)?.[1] : undefined;
}
