import { checkpointAnnotation, copyAnnotation } from "./plan";

/** What the API and the container runtime both know of a pod. */
export interface PodIdentity {
    readonly name: string;
    readonly namespace: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
}

/**
 * What a pod is one of, `<namespace>/<name>`: a DaemonSet, a Deployment, or the pod alone.
 *
 * By labels and not by owner references: the container runtime has no more, and it is the only one
 * that can be asked when the API is down.
 */
export function parentOf({ name, namespace, labels = {} }: PodIdentity): string {
    const template = labels["pod-template-hash"];
    if (template !== undefined && name.includes(`-${template}-`)) {
        return `${namespace}/${name.slice(0, name.lastIndexOf(`-${template}-`))}`;
    }
    const isOfSet = "controller-revision-hash" in labels && !("statefulset.kubernetes.io/pod-name" in labels);
    return `${namespace}/${isOfSet ? name.replace(/-[a-z0-9]{5}$/, "") : name}`;
}

/** Whether the pod is one to keep copies of. Static pods have their own file. */
export function isCheckpointed({ annotations = {} }: PodIdentity): boolean {
    const isStatic = (annotations["kubernetes.io/config.source"] ?? "api") !== "api";
    return annotations[checkpointAnnotation] === "true" && !isStatic && !(copyAnnotation in annotations);
}
