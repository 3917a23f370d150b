import { setTimeout as sleep } from "node:timers/promises";
import { type ApiClient, list } from "../../clients/kubernetes/api-client";
import { describePassing } from "../../clients/kubernetes/api-error";
import { type Deployment, type Node, nameOf, type Pod } from "../../clients/kubernetes/objects";
import { isReady } from "../../local/ready";
import { drillNamespace } from "./fill";

interface Settled {
    /** Nodes that must become ready. */
    readonly nodes: readonly string[];
    /** Nodes with new machines, which may not be in the API yet. */
    readonly renewed: readonly string[];
    /** When the old machines were destroyed, in milliseconds since 1970. */
    readonly since: number;
}

const deadlineSeconds = 300;

/** Waits until every node and pod is ready, ignoring outdated status. Reports what it is waiting for when that changes. */
export async function waitUntilSettled(api: ApiClient, settled: Settled, say: (line: string) => void): Promise<void> {
    const deadline = Date.now() + deadlineSeconds * 1000;
    for (let last = ""; ; await sleep(500)) {
        const waiting = await unsettled(api, settled).catch(describePassing);
        if (waiting === "") {
            return;
        }
        if (Date.now() > deadline) {
            throw new Error(`waited ${deadlineSeconds} s for ${waiting}`);
        }
        if (waiting !== last) {
            say(`waiting for ${waiting}`);
        }
        last = waiting;
    }
}

async function unsettled(api: ApiClient, { nodes, renewed, since }: Settled): Promise<string> {
    const [deployments, pods, found] = await Promise.all([
        list<Deployment>(api, `/apis/apps/v1/namespaces/${drillNamespace}/deployments`),
        list<Pod>(api, "/api/v1/pods"),
        list<Node>(api, "/api/v1/nodes"),
    ]);
    const ready = new Set(found.filter(isReady).map(({ metadata }) => metadata.name));
    const stale = stalePods(pods, renewed, since).map((name) => `a new status of ${name}`);
    // What pods need from other controllers: their namespace's service account and CA, and the pods themselves.
    const unavailable = unavailableDeployments(deployments);
    const missing = nodes.filter((name) => !ready.has(name));
    return [...missing, ...stale, ...unavailable, ...unreadyPods(pods)].join(", ");
}

/**
 * The pods on new machines whose status is still from the old ones.
 *
 * A restored API reports all of them as running until the kubelets update their status.
 *
 * @param since - when the old machines were destroyed, in milliseconds since 1970
 */
export function stalePods(pods: readonly Pod[], nodes: readonly string[], since: number): string[] {
    const isStale = ({ spec, status }: Pod) =>
        nodes.includes(spec.nodeName ?? "") &&
        status?.phase === "Running" &&
        (status.containerStatuses ?? []).some(({ state }) => {
            const startedAt = state?.running?.startedAt;
            return startedAt !== undefined && Date.parse(startedAt) < since;
        });
    return pods.filter(isStale).map(nameOf);
}

/** The pods that should become ready. Failed pods are excluded: their owners have replaced them, or gave up before the drill. */
export function unreadyPods(pods: readonly Pod[]): string[] {
    return pods.filter((pod) => pod.status?.phase !== "Failed" && !isReady(pod)).map(nameOf);
}

/** Deployments with fewer pods than desired; until the controller has created the pods, there are none to wait for. */
export function unavailableDeployments(deployments: readonly Deployment[]): string[] {
    return deployments
        .filter(({ spec, status }) => (status?.availableReplicas ?? 0) < (spec?.replicas ?? 1))
        .map((deployment) => `Deployment ${nameOf(deployment)}`);
}
