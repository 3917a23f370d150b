import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { ApiClient } from "../../agents/common/api-client";
import { isReady } from "../../agents/common/ready-condition";
import { plainVersion } from "../../components/cluster/version";
import { connectionOf } from "../../simulator/kubernetes/kubeconfig";
import { credentialsOf } from "../cluster-access";
import type { List, Node } from "../status/collect/objects";
import type { Requests } from "../timeline/requests";
import { type NodeView, nodeChanges } from "./node-changes";
import { type NodeStep, NodeSteps } from "./node-steps";
import { ApiProbe } from "./probe";

/** A cluster that is watched while it changes. */
export interface Followed {
    /** The Kubernetes version that it had. */
    readonly before: string;
    /** Stops, and tells what was seen. */
    stop(): Promise<Seen>;
}

/** What was seen of a cluster while it changed. */
export interface Seen {
    /** How the API answered. @default it was not asked */
    readonly requests?: Requests;
    readonly steps: readonly NodeStep[];
}

const lookMilliseconds = 1_000;
/** Whoever does not answer by then is not there to be followed. */
const firstMilliseconds = 2_000;

/**
 * Says what happens to a cluster's nodes, and counts whether its API answers.
 *
 * @returns nothing if the cluster is not made yet, or does not answer now
 */
export async function follow(kubeconfig: string, say: (line: string) => void): Promise<Followed | undefined> {
    if (!existsSync(kubeconfig)) return undefined;
    const connection = connectionOf(kubeconfig, {});
    const api = new ApiClient(connection.server, () => credentialsOf(connection), "tradewind-start");
    const version = (timeoutMilliseconds?: number) =>
        api.call<{ gitVersion: string }>("/version", {
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
        // Whether the API answers is counted elsewhere; what was missed the next look tells.
        const nodes = await api
            .call<List<Node>>("/api/v1/nodes", { timeoutMilliseconds: 5_000 })
            .catch(() => undefined);
        const after = nodes?.items.map(viewOf);
        if (after !== undefined && !signal.aborted) {
            steps.look(after, Date.now());
            for (const line of nodeChanges(before ?? after, after)) {
                say(`  node ${line}`);
            }
        }
        before = after ?? before;
        await sleep(lookMilliseconds, undefined, { signal }).catch(() => undefined);
    }
}

function viewOf({ metadata, spec, status }: Node): NodeView {
    return {
        name: metadata.name,
        kubelet: plainVersion(status.nodeInfo.kubeletVersion),
        isReady: isReady(status),
        isCordoned: spec?.unschedulable === true,
    };
}
