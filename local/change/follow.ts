import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type ApiClient, list } from "../../clients/kubernetes/api-client";
import { type Connection, clientOf, connectionOf } from "../../clients/kubernetes/kubeconfig";
import { kubeletVersion } from "../../clients/kubernetes/nodes";
import { isReady, type Node, type Version } from "../../clients/kubernetes/objects";
import { plainVersion } from "../../cluster/upgrades/version";
import type { Requests } from "../requests";
import { ApiProbe } from "./probe";

/** A cluster being watched during a change. */
export interface WatchedChange {
    /** Kubernetes version before the change. */
    readonly before: string;
    /** Stops watching and returns the observations. */
    stop(): Promise<ChangeObservations>;
}

/** Observations of a cluster during a change. */
export interface ChangeObservations {
    /** How the API responded. @default it was not probed */
    readonly requests?: Requests;
    readonly steps: readonly NodeStep[];
}

const pollMilliseconds = 1_000;
/** Timeout to decide that the cluster cannot be watched. */
const firstMilliseconds = 2_000;

/**
 * Reports what happens to a cluster's nodes, and probes its API.
 *
 * @returns undefined if the cluster does not exist yet, or does not answer now
 */
export async function follow(kubeconfig: string, say: (line: string) => void): Promise<WatchedChange | undefined> {
    if (!existsSync(kubeconfig)) return undefined;
    let connection: Connection;
    try {
        connection = connectionOf(kubeconfig, {});
    } catch (error) {
        say(`the change is not watched, and the kubeconfig is written again: ${(error as Error).message}`);
        return undefined;
    }
    const api = clientOf(connection, "tradewind-start");
    const version = (timeoutMilliseconds?: number) =>
        api.call<Version>("/version", {
            isFresh: true,
            ...(timeoutMilliseconds && { timeoutMilliseconds }),
        });
    const before = await version(firstMilliseconds).catch(() => undefined);
    if (before === undefined) return undefined;
    const stop = new AbortController();
    const probe = new ApiProbe(() => version());
    const steps = new NodeSteps();
    const work = Promise.all([probe.run(stop.signal), watchNodes(api, steps, say, stop.signal)]);
    return {
        before: plainVersion(before.gitVersion),
        stop: async () => {
            stop.abort();
            await work;
            api.reconnect();
            const requests = probe.tallies();
            return { steps: steps.until(Date.now()), ...(requests && { requests }) };
        },
    };
}

async function watchNodes(
    api: ApiClient,
    steps: NodeSteps,
    say: (line: string) => void,
    signal: AbortSignal,
): Promise<void> {
    let before: NodeView[] | undefined;
    while (!signal.aborted) {
        // The availability of the API is counted elsewhere; the next poll shows what was missed.
        const nodes = await list<Node>(api, "/api/v1/nodes", { timeoutMilliseconds: 5_000 }).catch(() => undefined);
        const after = nodes?.map(viewOf);
        if (after !== undefined && !signal.aborted) {
            steps.observe(after, Date.now());
            for (const line of nodeChanges(before ?? after, after)) {
                say(`  node ${line}`);
            }
        }
        before = after ?? before;
        await sleep(pollMilliseconds, undefined, { signal }).catch(() => undefined);
    }
}

function viewOf(node: Node): NodeView {
    return {
        name: node.metadata.name,
        kubelet: plainVersion(kubeletVersion(node)),
        isReady: isReady(node.status),
        isCordoned: node.spec?.unschedulable === true,
    };
}

/** The state of a node that is reported during a change. */
export interface NodeView {
    readonly name: string;
    /** Without a prefix: 1.36.3. */
    readonly kubelet: string;
    readonly isReady: boolean;
    readonly isCordoned: boolean;
}

/** What happened to nodes between two polls, one line each. */
export function nodeChanges(before: readonly NodeView[], after: readonly NodeView[]): string[] {
    const previous = new Map(before.map((node) => [node.name, node]));
    const lines = after.flatMap((node) => {
        const was = previous.get(node.name);
        return was === undefined ? [`${node.name} joined`] : changesOf(was, node, after);
    });
    const removed = before.filter(({ name }) => !after.some((node) => node.name === name));
    return [...lines, ...removed.map(({ name }) => `${name} was removed`)];
}

function changesOf(was: NodeView, is: NodeView, all: readonly NodeView[]): string[] {
    const alike = all.filter(({ kubelet }) => kubelet === is.kubelet).length;
    return [
        ...(is.isCordoned && !was.isCordoned ? [`${is.name} is cordoned and being drained`] : []),
        ...(is.kubelet === was.kubelet
            ? []
            : [
                  `${is.name} was upgraded from kubelet ${was.kubelet} to ${is.kubelet}: ${alike} of ${all.length} nodes`,
              ]),
        ...(is.isReady === was.isReady ? [] : [`${is.name} is ${is.isReady ? "Ready again" : "not Ready"}`]),
        ...(was.isCordoned && !is.isCordoned ? [`${is.name} is schedulable again`] : []),
    ];
}

/** A step of a node during a change. */
interface NodeStep {
    readonly name: string;
    /** `drained`, `kubelet 1.36.3` or `not Ready`. */
    readonly step: string;
    /** When it was first observed: RFC 3339. */
    readonly at: string;
    readonly seconds: number;
}

interface Begun {
    readonly step: string;
    readonly since: number;
}

/** Derives steps from polls of a cluster's nodes, with the precision of the polling interval. */
export class NodeSteps {
    /** When each node was first ready. */
    readonly #kubelets = new Map<string, string>();
    readonly #begun = new Map<string, Begun>();
    readonly #ended: NodeStep[] = [];

    /** @param now - milliseconds since 1970 */
    observe(nodes: readonly NodeView[], now: number): void {
        for (const node of nodes) {
            if (node.isReady && !this.#kubelets.has(node.name)) this.#kubelets.set(node.name, node.kubelet);
            const step = this.#stepOf(node);
            const begun = this.#begun.get(node.name);
            if (begun?.step === step) continue;
            this.#end(node.name, now);
            if (step !== undefined) this.#begun.set(node.name, { step, since: now });
        }
        for (const name of this.#begun.keys()) {
            if (!nodes.some((node) => node.name === name)) this.#end(name, now);
        }
    }

    /** All steps, in order of completion. Steps in progress end now. */
    until(now: number): NodeStep[] {
        for (const name of [...this.#begun.keys()]) this.#end(name, now);
        return this.#ended;
    }

    /** A node with a new kubelet stays cordoned until the kubelet is healthy; a node that was never ready is joining. */
    #stepOf({ name, kubelet, isCordoned, isReady }: NodeView): string | undefined {
        const first = this.#kubelets.get(name);
        if (first === undefined) return undefined;
        const hasAnother = kubelet !== first;
        if (isCordoned) return hasAnother ? `kubelet ${kubelet}` : "drained";
        return isReady ? undefined : "not Ready";
    }

    #end(name: string, now: number): void {
        const begun = this.#begun.get(name);
        if (begun === undefined) return;
        const { step, since } = begun;
        this.#ended.push({ name, step, at: new Date(since).toISOString(), seconds: (now - since) / 1000 });
        this.#begun.delete(name);
    }
}
