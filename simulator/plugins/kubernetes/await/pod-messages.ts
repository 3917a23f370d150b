import { at, type KubernetesObject, listAt } from "../object";
import { conditionOf } from "./controller";

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
