import { at, type KubernetesObject, listAt } from "../object";
import { conditionOf } from "./controller";

/** What keeps a pod from being ready, in the words of the scheduler, the kubelet and its containers. */
export function problemsOf(pod: KubernetesObject): string[] {
    const name = `pod "${pod.metadata?.name}"`;
    const scheduled = conditionOf(pod, "PodScheduled");
    if (scheduled?.status === "False") return [`${name}: [${scheduled.reason}] ${scheduled.message}`];
    const containers = [
        ...listAt(pod, "status", "initContainerStatuses"),
        ...listAt(pod, "status", "containerStatuses"),
    ];
    return containers.flatMap((container) => {
        const says = containerProblem(container);
        return says ? [`${name}, container "${container.name}": ${says}`] : [];
    });
}

function containerProblem(container: object): string | undefined {
    if (at(container, "ready") === true) return undefined;
    const waiting = at(container, "state", "waiting");
    const ended = at(container, "state", "terminated") ?? at(container, "lastState", "terminated");
    const parts = [waiting && describeWaiting(waiting), ended && describeEnd(ended)].filter(Boolean);
    return parts.length ? parts.join("; ") : undefined;
}

function describeWaiting(state: unknown): string | undefined {
    const reason = at(state, "reason");
    // What every container goes through says nothing.
    if (reason === "ContainerCreating" || reason === "PodInitializing") return undefined;
    return [`[${reason}]`, at(state, "message")].filter(Boolean).join(" ");
}

function describeEnd(state: unknown): string | undefined {
    const code = at(state, "exitCode");
    if (code === 0) return undefined;
    const message = String(at(state, "message") ?? "").trim();
    return `last ended with exit code ${code} (${at(state, "reason")})${message ? `: ${message}` : ""}`;
}
