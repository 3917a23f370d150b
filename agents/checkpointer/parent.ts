import type { Pod } from "../../clients/kubernetes/pod";
import { type CheckpointerPlan, checkpointAnnotation, copyAnnotation, namespace } from "./plan";

/** What the API and the container runtime both know of a pod. */
export interface PodIdentity {
    readonly name: string;
    readonly namespace: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
}

type Planned = Pick<CheckpointerPlan, "parents">;

/**
 * The parent of a pod to keep copies of, or undefined: one of those in the plan, if its pod asks for it. Static pods have their own
 * file.
 *
 * By namespace, labels and name alone: the container runtime has no more, and it is the only one that can be asked when the API is
 * down.
 */
export function parentOf(pod: PodIdentity, { parents }: Planned): string | undefined {
    const { annotations = {} } = pod;
    const isStatic = (annotations["kubernetes.io/config.source"] ?? "api") !== "api" || mirrorAnnotation in annotations;
    if (annotations[checkpointAnnotation] !== "true" || isStatic || copyAnnotation in annotations) {
        return undefined;
    }
    const name = setOf(pod);
    const parent = `${namespace}/${name}`;
    return name !== undefined && parents.includes(parent) ? parent : undefined;
}

const mirrorAnnotation = "kubernetes.io/config.mirror";

/** The same of a pod as the API lists it, which knows its owner too: its DaemonSet has to be the parent. */
export function listedParentOf({ metadata }: Pick<Pod, "metadata">, plan: Planned): string | undefined {
    const parent = parentOf(metadata, plan);
    const owner = metadata.ownerReferences?.find(({ controller }) => controller);
    return owner?.kind === "DaemonSet" && parent === `${namespace}/${owner.name}` ? parent : undefined;
}

/** The DaemonSet that a pod is one of, by its name and labels: those of Deployments and StatefulSets have others. */
function setOf({ name, namespace: own, labels = {} }: PodIdentity): string | undefined {
    const isOfSet =
        own === namespace &&
        "controller-revision-hash" in labels &&
        !("statefulset.kubernetes.io/pod-name" in labels) &&
        !("pod-template-hash" in labels);
    return isOfSet ? /^(.+)-[a-z0-9]{5}$/.exec(name)?.[1] : undefined;
}
