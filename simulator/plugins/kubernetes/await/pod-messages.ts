import { isObject, type Properties } from "../../protocol/serve";
import { at, type KubernetesObject, listAt, numberAt } from "../object";

/** Whether the controller has processed the current version of the object, so that its status is up to date. */
export function isObserved(object: KubernetesObject): boolean {
    return numberAt(object, "status", "observedGeneration") >= numberAt(object, "metadata", "generation");
}

/** The pod labels that a workload's selector requires. */
export function podLabels(object: KubernetesObject): Record<string, string> | undefined {
    const labels = at(object, "spec", "selector", "matchLabels");
    return isObject(labels) ? (labels as Record<string, string>) : undefined;
}

/** A status condition by its type. */
export function conditionOf(object: KubernetesObject, type: string): Properties | undefined {
    return listAt(object, "status", "conditions").find((condition) => condition.type === type);
}

export function hasCondition(object: KubernetesObject, type: string, status = "True"): boolean {
    return conditionOf(object, type)?.status === status;
}

/** A condition's reason and message, `[MinimumReplicasUnavailable] Deployment does not have minimum availability.` */
export function describeCondition({ reason, message }: Properties): string {
    return `[${reason}] ${message ?? ""}`.trim();
}

/**
 * The official plugin's description of a pod that is not Ready: its condition and its containers, without their last
 * logs.
 */
export function messagesOf(pod: KubernetesObject): string[] {
    const { name, namespace, deletionTimestamp } = pod.metadata ?? {};
    const [unscheduled, unready] = ["PodScheduled", "Ready"].map((type) => {
        const condition = conditionOf(pod, type);
        return condition?.status === "False" ? condition : undefined;
    });
    const condition = unscheduled ?? unready;
    if (deletionTimestamp || !condition) return [];
    const containers = [
        ...listAt(pod, "status", "initContainerStatuses"),
        ...listAt(pod, "status", "containerStatuses"),
    ];
    const errors = containers.flatMap(errorOf).map((error) => ` -- ${error}`);
    const fullName = namespace && namespace !== "default" ? `${namespace}/${name}` : name;
    return [`[Pod ${fullName}]: ${condition.message ?? ""}${errors.join("")}`];
}

function errorOf(container: object): string[] {
    const waiting = at(container, "state", "waiting");
    const ended = at(container, "state", "terminated");
    const state = waiting ?? (at(ended, "exitCode") === 0 ? undefined : ended);
    const reason = at(state, "reason");
    if (!state || reason === "ContainerCreating" || reason === "PodInitializing") return [];
    return [`[${reason}] ${at(state, "message") ?? ""}`.trim()];
}
