import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient } from "../../agents/common/api-client";
import { describePassing } from "../../agents/common/api-error";
import { isReady } from "../ready";
import { drillNamespace } from "./fill";
import { type DeploymentStatus, type PodStatus, stalePods, unavailableDeployments, unreadyPods } from "./pods";

export interface Settled {
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
