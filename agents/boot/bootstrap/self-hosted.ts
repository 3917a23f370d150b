import { type ApiClient, list } from "../../../clients/kubernetes/api-client";
import { describeError, isNotFound } from "../../../clients/kubernetes/api-error";
import { addressAnnotation } from "../../../clients/kubernetes/loopback";
import {
    type ContainerStatus,
    condition,
    type DaemonSet,
    isReady,
    type Pod,
} from "../../../clients/kubernetes/objects";
import { probe } from "../../../clients/probe";
import type { SelfHostedComponent } from "./plan";

/** The pods of a namespace on a node. */
export function podsOn(api: ApiClient, namespace: string, nodeName: string): Promise<readonly Pod[]> {
    const selector = encodeURIComponent(`spec.nodeName=${nodeName}`);
    return list<Pod>(api, `/api/v1/namespaces/${namespace}/pods?fieldSelector=${selector}`);
}

/**
 * Why a self-hosted component does not serve, or undefined.
 *
 * Probes the process of a pod that the API lists. Its Ready condition may predate a power cut, and follows the process
 * by a second or more; it only explains why nothing serves.
 */
export async function componentProblem(
    api: ApiClient,
    component: SelfHostedComponent,
    pods: readonly Pod[],
    /** The cluster pivoted: its generations are no longer those of the plan. */
    isPivoted: boolean,
): Promise<string | undefined> {
    const { name, address, kind } = component;
    const own = pods.filter(({ metadata }) =>
        metadata.ownerReferences?.some((owner) => owner.kind === kind && owner.name === name),
    );
    const addressOf = ({ metadata }: Pod) => metadata.annotations?.[addressAnnotation];
    const candidates = isPivoted ? own : own.filter((pod) => (addressOf(pod) ?? address) === address);
    if (candidates.length === 0) {
        return await missingPod(api, component);
    }
    const problems = candidates.map(podProblem);
    const ofProcesses = await Promise.all(
        candidates.map((pod) => processProblem(component, addressOf(pod) ?? address)),
    );
    const isEnding = ({ metadata }: Pod) => metadata.deletionTimestamp !== undefined;
    if (candidates.some((pod, index) => !isEnding(pod) && ofProcesses[index] === undefined)) {
        return undefined;
    }
    return problems.find(Boolean) ?? ofProcesses.find(Boolean);
}

async function processProblem({ name, port, probe: path, listener }: SelfHostedComponent, address: string) {
    const observed =
        (await probe(`https://${address}:${port}${path}`)) ??
        (listener && (await probe(`http://${address}:${listener.port}${listener.path}`)));
    return observed && `${name}: ${observed}`;
}

async function missingPod(api: ApiClient, { namespace, name }: SelfHostedComponent): Promise<string> {
    try {
        const path = `/apis/apps/v1/namespaces/${namespace}/daemonsets/${name}`;
        const { status = {} } = await api.call<DaemonSet>(path);
        const { desiredNumberScheduled = 0, currentNumberScheduled = 0 } = status;
        return `${name}: no pod on this node yet (desired on ${desiredNumberScheduled} nodes, created on ${currentNumberScheduled})`;
    } catch (error) {
        return `${name}: ${isNotFound(error) ? "no such DaemonSet" : describeError(error)}`;
    }
}

/** Why a pod is not Ready, in one line, or undefined if it is. */
export function podProblem({ metadata, status = {} }: Pick<Pod, "metadata" | "status">): string | undefined {
    if (metadata.deletionTimestamp !== undefined) {
        return `${metadata.name}: is terminating`;
    }
    if (isReady(status)) {
        return undefined;
    }
    const scheduled = condition(status, "PodScheduled");
    if (scheduled?.status === "False") {
        return `${metadata.name}: ${reasonOf(scheduled, "is not scheduled")}`;
    }
    const inits = (status.initContainerStatuses ?? []).filter(({ state }) => state?.terminated?.exitCode !== 0);
    const problems = [...inits, ...(status.containerStatuses ?? [])].map(containerProblem).filter(Boolean);
    return `${metadata.name}: ${problems.join(", ") || reasonOf(condition(status, "Ready"), `is ${status.phase ?? "Pending"}`)}`;
}

function containerProblem({
    name,
    ready,
    restartCount = 0,
    state = {},
    lastState,
}: ContainerStatus): string | undefined {
    const before = lastState?.terminated && `, previous exit code ${lastState.terminated.exitCode}`;
    const restarts = restartCount > 0 ? ` after ${restartCount} restarts${before ?? ""}` : "";
    if (state.waiting) {
        return `container ${name} waiting: ${reasonOf(state.waiting, "no reason given")}${restarts}`;
    }
    if (state.terminated) {
        return `container ${name} terminated: ${reasonOf(state.terminated, "no reason given")}, exit code ${state.terminated.exitCode}${restarts}`;
    }
    return ready ? undefined : `container ${name} running, not ready${restarts}`;
}

function reasonOf(source: { reason?: string; message?: string } | undefined, otherwise: string): string {
    return [source?.reason, source?.message].filter(Boolean).join(": ") || otherwise;
}
