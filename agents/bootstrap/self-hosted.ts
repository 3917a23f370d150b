import type { ApiClient } from "../common/api-client";
import { describeError, isNotFound } from "../common/api-error";
import { probe } from "../common/probe";
import { addressAnnotation, type SelfHostedComponent } from "./plan";
import { type Pod, podProblem } from "./pod-status";

/** The pods of a namespace on a node. */
export async function podsOn(api: ApiClient, namespace: string, nodeName: string): Promise<readonly Pod[]> {
    const selector = encodeURIComponent(`spec.nodeName=${nodeName}`);
    return (await api.call<{ items: Pod[] }>(`/api/v1/namespaces/${namespace}/pods?fieldSelector=${selector}`)).items;
}

/**
 * What keeps a self-hosted component from serving, or undefined.
 *
 * Both are asked: the API, whose Ready covers every container but may be older than a power cut, and
 * the very process.
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
    const ready = candidates[problems.indexOf(undefined)];
    return ready === undefined ? problems[0] : await processProblem(component, addressOf(ready) ?? address);
}

async function processProblem({ name, port, probe: path, listener }: SelfHostedComponent, address: string) {
    const seen =
        (await probe(`https://${address}:${port}${path}`)) ??
        (listener && (await probe(`http://${address}:${listener.port}${listener.path}`)));
    return seen && `${name}: ${seen}`;
}

async function missingPod(api: ApiClient, { namespace, name }: SelfHostedComponent): Promise<string> {
    try {
        const path = `/apis/apps/v1/namespaces/${namespace}/daemonsets/${name}`;
        const { status = {} } = await api.call<{ status?: Record<string, number> }>(path);
        const { desiredNumberScheduled = 0, currentNumberScheduled = 0 } = status;
        return `${name}: no pod on this node yet (wanted on ${desiredNumberScheduled} nodes, made on ${currentNumberScheduled})`;
    } catch (error) {
        return `${name}: ${isNotFound(error) ? "no such DaemonSet" : describeError(error)}`;
    }
}
