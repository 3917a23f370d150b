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
