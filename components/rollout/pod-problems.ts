import { redact } from "../../agents/harness/redact";
import {
    type Condition,
    type Conditions,
    type ContainerState,
    type ContainerStatus,
    condition,
    type Pod,
} from "../../clients/kubernetes/objects";

type Waiting = Pick<Condition, "reason" | "message">;

/** Why a pod is not ready, in the words of the scheduler, the kubelet and its containers. */
export function problemsOf({ metadata, spec, status = {} }: Pod): string[] {
    // A pod being deleted is expected not to run.
    if (metadata.deletionTimestamp) return [];
    const { initContainerStatuses = [], containerStatuses = [] } = status;
    const name = `pod "${metadata.name}"${spec?.nodeName ? ` on node "${spec.nodeName}"` : ""}`;
    const scheduled = condition(status, "PodScheduled");
    if (scheduled?.status === "False") return [`${name}: ${inWords(scheduled)}`];
    const problems = [...initContainerStatuses, ...containerStatuses].flatMap((container) => {
        const says = containerProblem(container);
        return says ? [`${name}, container "${container.name}": ${says}`] : [];
    });
    return problems.length ? problems : readinessProblem(status).map((says) => `${name}: ${says}`);
}

/** For a pod whose containers are all ready: a readiness gate, or a node whose kubelet no longer reports. */
function readinessProblem(status: Conditions): string[] {
    const ready = condition(status, "Ready");
    if (ready?.status !== "False" || ready.reason === "ContainersNotReady" || ready.reason === "PodCompleted")
        return [];
    return [ready.reason ? inWords(ready) : "it is not Ready, but its containers are; check its node"];
}

function containerProblem({ ready, state, lastState }: ContainerStatus): string | undefined {
    if (ready === true) return undefined;
    const ended = state?.terminated ?? lastState?.terminated;
    const parts = [state?.waiting && describeWaiting(state.waiting), ended && describeEnd(ended)].filter(Boolean);
    return parts.length ? parts.join("; ") : undefined;
}

function describeWaiting(waiting: Waiting): string | undefined {
    // States that every container passes through are no reason.
    const isUsual = waiting.reason === "ContainerCreating" || waiting.reason === "PodInitializing";
    return isUsual ? undefined : inWords(waiting);
}

function describeEnd({
    exitCode,
    reason,
    message = "",
}: NonNullable<ContainerState["terminated"]>): string | undefined {
    if (exitCode === 0) return undefined;
    const words = redact(message).trim();
    return `last ended with exit code ${exitCode} (${reason})${words ? `: ${words}` : ""}`;
}

function inWords({ reason, message }: Waiting): string {
    return [`[${reason}]`, message].filter(Boolean).join(" ");
}
