import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient } from "../../clients/kubernetes/api-client";
import { describePassing } from "../../clients/kubernetes/api-error";
import { isReady } from "../../local/ready";
import { drillNamespace } from "./fill";

interface Settled {
    /** All that are to be Ready. */
    readonly nodes: readonly string[];
    /** Those whose machines are new, of which the API may know nothing yet. */
    readonly renewed: readonly string[];
    /** When the old machines went, in milliseconds since 1970. */
    readonly since: number;
}

const deadlineSeconds = 300;

/** Waits until every node and every pod is Ready, and that is no memory. Says what is waited for when it changes. */
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
    const stale = stalePods(pods.items, renewed, since).map((name) => `news of ${name}`);
    // What they need of other controllers is there, too: their namespace's account and CA, and the pods themselves.
    const unavailable = unavailableDeployments(deployments.items);
    const missing = nodes.filter((name) => !ready.has(name));
    return [...missing, ...stale, ...unavailable, ...unreadyPods(pods.items)].join(", ");
}

/** What is read of a pod. */
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
 * The pods of new machines whose status is still that of the old ones.
 *
 * A restored API says that all of them run, until the kubelets have said what is so.
 *
 * @param since when the old machines went, in milliseconds since 1970
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

/** The pods that are to become Ready. One that failed is not: its owner has made another, or gave up before the drill. */
export function unreadyPods(pods: readonly PodStatus[]): string[] {
    return pods.filter((pod) => pod.status?.phase !== "Failed" && !isReady(pod)).map(nameOf);
}

/** What is read of a Deployment. */
interface DeploymentStatus {
    readonly metadata: { readonly name: string; readonly namespace: string };
    readonly spec: { readonly replicas: number };
    readonly status?: { readonly availableReplicas?: number };
}

/** The Deployments that have fewer pods than they are to have; while nobody has looked at them yet, there are no pods to wait for. */
export function unavailableDeployments(deployments: readonly DeploymentStatus[]): string[] {
    return deployments
        .filter(({ spec, status }) => (status?.availableReplicas ?? 0) < spec.replicas)
        .map((deployment) => `Deployment ${nameOf(deployment)}`);
}

function nameOf({ metadata }: Pick<PodStatus, "metadata">): string {
    return `${metadata.namespace}/${metadata.name}`;
}
