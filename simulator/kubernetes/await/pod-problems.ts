import { at, type KubernetesObject, listAt } from "../object";
import { conditionOf, describeCondition } from "./controller";

/** What keeps a pod from being ready, in the words of the scheduler, the kubelet and its containers. */
export function problemsOf(pod: KubernetesObject): string[] {
    // One that was told to end does not run any more, as it should.
    if (pod.metadata?.deletionTimestamp) return [];
    const node = at(pod, "spec", "nodeName");
    const name = `pod "${pod.metadata?.name}"${node ? ` on node "${node}"` : ""}`;
    const scheduled = conditionOf(pod, "PodScheduled");
    if (scheduled?.status === "False") return [`${name}: [${scheduled.reason}] ${scheduled.message}`];
    const containers = [
        ...listAt(pod, "status", "initContainerStatuses"),
        ...listAt(pod, "status", "containerStatuses"),
    ];
    const problems = containers.flatMap((container) => {
        const says = containerProblem(container);
        return says ? [`${name}, container "${container.name}": ${says}`] : [];
    });
    return problems.length ? problems : readinessProblem(pod).map((says) => `${name}: ${says}`);
}

/** Of a pod whose containers are all well: a gate that is closed, or a node whose kubelet does not tell of it any more. */
function readinessProblem(pod: KubernetesObject): string[] {
    const ready = conditionOf(pod, "Ready");
    if (ready?.status !== "False" || ready.reason === "ContainersNotReady" || ready.reason === "PodCompleted")
        return [];
    return [ready.reason ? describeCondition(ready) : "it is not Ready and its containers are; is its node?"];
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
