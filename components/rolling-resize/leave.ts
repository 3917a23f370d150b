import { type Patience, Timeout, waitFor } from "../../agents/harness/wait";
import { patchNode } from "../../agents/nodes/removal/nodes";
import { isEvictable, podName, podsOn } from "../../agents/nodes/removal/pods";
import type { ApiClient } from "../../clients/kubernetes/api-client";
import { describePassing } from "../../clients/kubernetes/api-error";
import { evict } from "../../clients/kubernetes/evict";
import { containersOn, missingOn, nodeOf, problemsOf } from "./cluster-view";

/** On a Node that is cordoned while its machine is stopped for another size: what else is cordoned stays so. */
export const sizeAnnotation = "tradewind.dev/cordoned-for-size";

/** Unit: seconds. */
interface Limits {
    /** For an API that does not answer. */
    readonly answer: number;
    /** For the other controllers and their pods to be Ready. */
    readonly health: number;
    /** For pods to end, as their disruption budgets allow. */
    readonly drain: number;
}

/** What a machine leaves, to be held against what it comes back with: containers of the system. */
export type Left = { readonly containers: ReadonlySet<string> } | "no node" | "no API";

/**
 * Empties a node whose machine is about to be stopped, once everybody else is well.
 *
 * A cluster that does not answer is gone on with: a larger machine may be what it lacks.
 *
 * @throws when others are not well
 */
export async function leave(
    api: ApiClient,
    name: string,
    { answer, health, drain }: Limits,
    say: (line: string) => void,
): Promise<Left> {
    const within = (seconds: number): Patience => ({ deadline: performance.now() + seconds * 1000, report: say });
    try {
        await waitFor(within(answer), "the API", () => tried(async () => void (await problemsOf(api))), slowly);
    } catch (error) {
        say(`${name} is stopped as it is, not drained: ${(error as Error).message}`);
        return "no API";
    }
    await waitFor(
        within(health),
        `everything else to be well before ${name} is stopped`,
        () => tried(async () => (await problemsOf(api)).join("; ") || undefined),
        slowly,
    );
    const node = await nodeOf(api, name);
    if (node === undefined) return "no node";
    const containers = await containersOn(api, name);
    if (!node.spec?.unschedulable) {
        await patchNode(api, name, {
            metadata: { annotations: { [sizeAnnotation]: "true" } },
            spec: { unschedulable: true },
        });
    }
    say(`${name} is cordoned, and drained`);
    try {
        await waitFor(within(drain), `the pods of ${name} to end`, () => tried(() => drained(api, name)), slowly);
    } catch (error) {
        if (!(error instanceof Timeout)) throw error;
        // The kubelet ends them in order while the machine shuts down.
        say(`${name} is stopped all the same: ${error.message}`);
    }
    return { containers };
}

const slowly = { everyMilliseconds: 1_000 };

async function drained(api: ApiClient, node: string): Promise<string | undefined> {
    const pods = (await podsOn(api, node)).filter(isEvictable);
    const states = await Promise.all(
        pods.map(async (pod) => {
            const isEnding = pod.metadata.deletionTimestamp !== undefined;
            return `${podName(pod)} ${isEnding ? "is ending" : await evict(api, pod)}`;
        }),
    );
    return states.join("; ") || undefined;
}

/** An API that does not answer is asked again. */
async function tried(look: () => Promise<string | undefined>): Promise<string | undefined> {
    try {
        return await look();
    } catch (error) {
        return describePassing(error);
    }
}

/**
 * Waits until a node whose machine was stopped is back, with what the system runs there, and takes its cordon away.
 *
 * @param seconds - that it may take
 * @throws when it does not come back
 */
export async function comeBack(
    api: ApiClient,
    name: string,
    left: Exclude<Left, "no node">,
    seconds: number,
    say: (line: string) => void,
): Promise<void> {
    const containers = left === "no API" ? new Set<string>() : left.containers;
    const patience = { deadline: performance.now() + seconds * 1000, report: say };
    await waitFor(patience, `${name} to be back`, () => tried(() => missingOn(api, name, containers)), {
        everyMilliseconds: 1_000,
    });
    const isOurs = async () => (await nodeOf(api, name))?.metadata.annotations?.[sizeAnnotation] !== undefined;
    await waitFor(patience, `${name} to be schedulable`, () =>
        tried(async () => {
            if (await isOurs()) {
                await patchNode(api, name, {
                    metadata: { annotations: { [sizeAnnotation]: null } },
                    spec: { unschedulable: null },
                });
            }
            return undefined;
        }),
    );
    say(`${name} is back`);
}
