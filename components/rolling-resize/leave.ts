import { type Patience, Timeout, waitFor } from "../../agents/harness/wait";
import { patchNode } from "../../agents/nodes/removal/nodes";
import { isEvictable, podsOn } from "../../agents/nodes/removal/pods";
import type { ApiClient } from "../../clients/kubernetes/api-client";
import { describePassing } from "../../clients/kubernetes/api-error";
import { isReady, nameOf } from "../../clients/kubernetes/objects";
import { evict } from "../../clients/kubernetes/pods";
import { containersOn, missingOn, nodeOf, problemsOf } from "./cluster-view";

/** Set on a Node that is cordoned while its machine is resized or replaced; other cordoned nodes stay cordoned. */
export const sizeAnnotation = "tradewind.dev/cordoned-for-size";

/** Unit: seconds. */
interface Limits {
    /** Time for the API to respond. */
    readonly answer: number;
    /** Time for the other controllers and their pods to be Ready. */
    readonly health: number;
    /** Time for pods to terminate, as their disruption budgets allow. */
    readonly drain: number;
}

/** State of a machine before it was stopped, to compare with later: its system containers. */
export type BeforeStop = { readonly containers: ReadonlySet<string> } | "no node" | "no API";

/**
 * Drains a node whose machine is about to be stopped, once all others are healthy.
 *
 * If the cluster does not respond, it continues: a larger machine may be what the cluster needs.
 *
 * @throws if others are not healthy
 */
export async function leave(
    api: ApiClient,
    name: string,
    { answer, health, drain }: Limits,
    say: (line: string) => void,
): Promise<BeforeStop> {
    const within = (seconds: number): Patience => ({ deadline: performance.now() + seconds * 1000, report: say });
    try {
        await waitFor(within(answer), "the API", () => tried(async () => void (await problemsOf(api, name))), slowly);
    } catch (error) {
        say(`${name} is stopped without being drained: ${(error as Error).message}`);
        return "no API";
    }
    await waitFor(
        within(health),
        `everything else to be healthy before ${name} is stopped`,
        () => tried(async () => (await problemsOf(api, name)).join("; ") || undefined),
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
    if (!isReady(node.status)) {
        say(`${name} is not drained, because it is not Ready`);
        return { containers };
    }
    say(`cordoning and draining ${name}`);
    try {
        await waitFor(within(drain), `the pods of ${name} to terminate`, () => tried(() => drained(api, name)), slowly);
    } catch (error) {
        if (!(error instanceof Timeout)) throw error;
        // The kubelet stops them in order while the machine shuts down.
        say(`${name} is stopped anyway: ${error.message}`);
    }
    return { containers };
}

const slowly = { everyMilliseconds: 1_000 };

async function drained(api: ApiClient, node: string): Promise<string | undefined> {
    const pods = (await podsOn(api, node)).filter(isEvictable);
    const states = await Promise.all(
        pods.map(async (pod) => {
            const isEnding = pod.metadata.deletionTimestamp !== undefined;
            return `${nameOf(pod)} ${isEnding ? "is terminating" : await evict(api, pod)}`;
        }),
    );
    return states.join("; ") || undefined;
}

/** Retries an API that does not respond. */
async function tried(
    observe: () => Promise<string | undefined>,
    describe: (error: unknown) => string = describePassing,
): Promise<string | undefined> {
    try {
        return await observe();
    } catch (error) {
        return describe(error);
    }
}

/**
 * Waits until a node whose machine was stopped is back with its system pods, and uncordons it.
 *
 * @param seconds - timeout
 * @param describe - of an error of the API: throws those that do not pass. @default describePassing
 * @throws if it does not come back
 */
export async function comeBack(
    api: ApiClient,
    name: string,
    left: Exclude<BeforeStop, "no node">,
    seconds: number,
    say: (line: string) => void,
    describe?: (error: unknown) => string,
): Promise<void> {
    const containers = left === "no API" ? new Set<string>() : left.containers;
    const patience = { deadline: performance.now() + seconds * 1000, report: say };
    await waitFor(patience, `${name} to be back`, () => tried(() => missingOn(api, name, containers), describe), {
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
        }, describe),
    );
    say(`${name} is back`);
}
