import { setTimeout as sleep } from "node:timers/promises";
import { type Caller, list } from "../clients/kubernetes/api-client";
import { ApiError, describeError } from "../clients/kubernetes/api-error";
import { clientOf, connectionOf } from "../clients/kubernetes/kubeconfig";
import { isWithoutCni } from "../clients/kubernetes/nodes";
import { condition, isReady as hasReadyCondition, type Node, type Pod } from "../clients/kubernetes/objects";
import { isOver, isSuperseded } from "./pods";

interface Access {
    readonly kubeconfig: string;
    /** Returns why a node's machine does not join, if that is known, and its last log lines. @default machines are not accessible */
    readonly lastLinesOf?: (node: string) => Promise<string>;
    /** Users install the CNI: a node without one is not waited for, nor are pods that need it. @default false */
    readonly hasOwnCni?: boolean;
}

/** The nodes of a cluster that is ready, as far as it can be. */
export interface ReadyNodes {
    readonly times: NodeTimes[];
    /** Names of nodes that wait for a CNI. */
    readonly withoutCni: readonly string[];
}

/** Times of a node: RFC 3339. */
export interface NodeTimes {
    readonly name: string;
    readonly joined: string;
    /** When it became ready. */
    readonly ready: string;
}

const DEADLINE_MS = 300_000;

/**
 * Waits until every node and every pod of kube-system is ready, reporting what it is waiting for whenever that changes.
 */
export async function waitUntilReady(
    access: Access,
    nodes: readonly string[],
    say: (line: string) => void,
): Promise<ReadyNodes> {
    const connection = connectionOf(access.kubeconfig, {});
    return clientOf(connection, "tradewind-start").closeAfter((api) => wait(api, access, nodes, say));
}

/** For how long a new API may refuse requests: it creates its own permissions when it starts. */
const REFUSAL_MS = 30_000;

/** @param refusalMs - for how long the API may refuse requests @throws if it goes on, or not all becomes ready in time */
export async function wait(
    api: Caller,
    access: Pick<Access, "lastLinesOf" | "hasOwnCni">,
    nodes: readonly string[],
    say: (line: string) => void,
    refusalMs = REFUSAL_MS,
): Promise<ReadyNodes> {
    const deadline = Date.now() + DEADLINE_MS;
    let refusedSince: number | undefined;
    for (let last = ""; ; await sleep(500)) {
        let refusal: string | undefined;
        const { waiting, times, notReady, withoutCni } = await observeReadiness(api, nodes, access).catch((error) => {
            const why = describeError(error);
            if (error instanceof ApiError && [401, 403].includes(error.status)) refusal = why;
            return { waiting: [`the API (${why})`], times: [], notReady: [], withoutCni: [] };
        });
        refusedSince = refusal === undefined ? undefined : (refusedSince ?? Date.now());
        if (refusedSince !== undefined && Date.now() - refusedSince >= refusalMs) {
            throw new Error(
                `permissions missing: the API refuses the administrator (${refusal}). ` +
                    "Restore them with `up --refresh`; `tradewind status` says what to do if that is refused",
            );
        }
        if (waiting.length === 0) {
            if (withoutCni.length > 0) say(`waiting for the CNI that you install: ${withoutCni.join(", ")}`);
            return { times, withoutCni };
        }
        const text = waiting.join(", ");
        if (Date.now() > deadline) {
            const lines = await Promise.all(notReady.map((each) => lastLines(each, access)));
            throw new Error([`not ready within ${DEADLINE_MS / 1000} s: ${text}`, ...lines].join("\n"));
        }
        if (text !== last) {
            say(`waiting for ${text}`);
        }
        last = text;
    }
}

/** A node that is not ready, with the reason known to the API. */
interface NotReadyNode {
    readonly node: string;
    readonly why: string;
}

async function lastLines({ node, why }: NotReadyNode, { lastLinesOf }: Pick<Access, "lastLinesOf">): Promise<string> {
    return [`${node}: ${why}`, ...(lastLinesOf ? [await lastLinesOf(node)] : [])].join("\n");
}

interface Readiness extends ReadyNodes {
    readonly waiting: readonly string[];
    readonly notReady: readonly NotReadyNode[];
}

async function observeReadiness(
    api: Caller,
    nodes: readonly string[],
    { hasOwnCni }: Pick<Access, "hasOwnCni">,
): Promise<Readiness> {
    const [found, pods] = await Promise.all([
        list<Node>(api, "/api/v1/nodes"),
        list<Pod>(api, "/api/v1/namespaces/kube-system/pods"),
    ]);
    return whatIsReady(nodes, found, pods, hasOwnCni);
}

/** What is not ready yet, and the times of ready nodes. @param hasOwnCni - see {@link Access} */
export function whatIsReady(
    nodes: readonly string[],
    found: readonly Node[],
    pods: readonly Pod[],
    hasOwnCni = false,
): Readiness {
    const withoutCni = hasOwnCni ? nodes.filter((node) => found.some((each) => isOnlyWithoutCni(node, each))) : [];
    const isUp = (node: string) => found.some((each) => each.metadata.name === node && isReady(each));
    const missing = nodes.filter((node) => !withoutCni.includes(node) && !isUp(node));
    const able = withoutCni.length > 0 ? pods.filter(({ spec }) => spec.hostNetwork === true) : pods;
    const waiting = [...missing, ...podsToWaitFor(able).map((name) => `pod ${name}`)];
    const notReady = missing.map((node) => ({
        node,
        why: whyNotReady(found.find(({ metadata }) => metadata.name === node)),
    }));
    return { waiting, times: found.flatMap(nodeTimes), notReady, withoutCni };
}

function isOnlyWithoutCni(name: string, { metadata, status }: Node): boolean {
    return metadata.name === name && !hasReadyCondition(status) && isWithoutCni(condition(status, "Ready")?.message);
}

/** Names of pods that should become ready but are not. */
export function podsToWaitFor(pods: readonly Pod[]): string[] {
    return pods.filter((pod) => !isReady(pod) && !isSuperseded(pod, pods)).map(({ metadata }) => metadata.name);
}

/** The reason reported by its kubelet, if any. */
export function whyNotReady(node: Node | undefined): string {
    if (node === undefined) return "it never joined";
    const ready = condition(node.status, "Ready");
    return [ready?.reason, ready?.message].filter(Boolean).join(": ") || "its kubelet has not reported a reason";
}

/** Empty if the node is not ready. */
export function nodeTimes({ metadata: { name, creationTimestamp }, status }: Node): NodeTimes[] {
    const since = hasReadyCondition(status) ? condition(status, "Ready")?.lastTransitionTime : undefined;
    return creationTimestamp && since ? [{ name, joined: creationTimestamp, ready: since }] : [];
}

/** Of a Node or a pod. */
export function isReady({ metadata, status }: Pick<Pod, "metadata" | "status">): boolean {
    return isOver(status, metadata) || hasReadyCondition(status);
}

/** Throws if machines in the stack's state no longer exist: `up` would not recreate them. */
export function requireMachines(cluster: string, nodes: readonly string[], present: readonly string[]): void {
    const missing = nodes.filter((node) => !present.includes(node));
    if (missing.length > 0) {
        const option = cluster === "local" ? "" : ` --name ${cluster}`;
        throw new Error(
            `the machines ${missing.join(", ")} are in the stack's state but no longer exist on this machine:\n` +
                `  npm start -- --destroy${option}   then npm start again`,
        );
    }
}
