import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient } from "../../clients/kubernetes/api-client";
import { describePassing } from "../../clients/kubernetes/api-error";
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
        api.call<{ items: DeploymentStatus[] }>(`/apis/apps/v1/namespaces/${drillNamespace}/deployments`),
        api.call<{ items: PodStatus[] }>("/api/v1/pods"),
        api.call<{ items: Parameters<typeof isReady>[0][] }>("/api/v1/nodes"),
    ]);
    const ready = new Set(found.items.filter(isReady).map(({ metadata }) => metadata.name));
    const stale = stalePods(pods.items, renewed, since).map((name) => `a new status of ${name}`);
    // What pods need from other controllers: their namespace's service account and CA, and the pods themselves.
    const unavailable = unavailableDeployments(deployments.items);
    const missing = nodes.filter((name) => !ready.has(name));
    return [...missing, ...stale, ...unavailable, ...unreadyPods(pods.items)].join(", ");
}

/** The used fields of a pod. */
export interface PodStatus {
    readonly metadata: { readonly name: string; readonly namespace: string };
    readonly spec: { readonly nodeName?: string };
    readonly status?: {
        readonly phase?: string;
        readonly conditions?: readonly { readonly type: string; readonly status: string }[];
        readonly containerStatuses?: readonly {
            readonly state?: { readonly running?: { readonly startedAt: string } };
        }[];
    };
}

/**
 * The pods on new machines whose status is still from the old ones.
 *
 * A restored API reports all of them as running until the kubelets update their status.
 *
 * @param since - when the old machines were destroyed, in milliseconds since 1970
 */
export function stalePods(pods: readonly PodStatus[], nodes: readonly string[], since: number): string[] {
    const isStale = ({ spec, status }: PodStatus) =>
        nodes.includes(spec.nodeName ?? "") &&
        status?.phase === "Running" &&
        (status.containerStatuses ?? []).some(({ state }) => {
            const startedAt = state?.running?.startedAt;
            return startedAt !== undefined && Date.parse(startedAt) < since;
        });
    return pods.filter(isStale).map(nameOf);
}

/** The pods that should become ready. Failed pods are excluded: their owners have replaced them, or gave up before the drill. */
export function unreadyPods(pods: readonly PodStatus[]): string[] {
    return pods.filter((pod) => pod.status?.phase !== "Failed" && !isReady(pod)).map(nameOf);
}

/** The used fields of a Deployment. */
interface DeploymentStatus {
    readonly metadata: { readonly name: string; readonly namespace: string };
    readonly spec: { readonly replicas: number };
    readonly status?: { readonly availableReplicas?: number };
}

/** Deployments with fewer pods than desired; until the controller has created the pods, there are none to wait for. */
export function unavailableDeployments(deployments: readonly DeploymentStatus[]): string[] {
    return deployments
        .filter(({ spec, status }) => (status?.availableReplicas ?? 0) < spec.replicas)
        .map((deployment) => `Deployment ${nameOf(deployment)}`);
}

function nameOf({ metadata }: Pick<PodStatus, "metadata">): string {
    return `${metadata.namespace}/${metadata.name}`;
}
