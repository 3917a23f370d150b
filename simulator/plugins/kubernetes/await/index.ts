import { setTimeout as sleep } from "node:timers/promises";
import { InitializationError, type Log, type Properties } from "../../protocol/serve";
import { timeoutOf } from "../annotations";
import type { Cluster } from "../cluster";
import { isNotFound } from "../faults";
import type { KubernetesObject } from "../object";
import { type Readiness, type Rule, waiting } from "./readiness";
import { podMessages, ruleFor } from "./rules";
import { surroundings } from "./surroundings";

export interface Wait {
    readonly inputs: KubernetesObject;
    readonly id: string;
    /** Seconds set by `customTimeouts`, 0 if unset. */
    readonly timeout: number;
    readonly log: Log;
    readonly signal: AbortSignal;
    /** The state recorded for an object that did not become ready. */
    readonly record: (live: KubernetesObject) => Properties;
    /** Start of the error message. */
    readonly prefix: string;
}

const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 1000;
// How often pods are checked for problems; each check costs a list.
const PROBLEMS_EVERY = 5000;

/** Waits until an object is ready. @throws {InitializationError} with the reason on a timeout */
export async function awaitReady(cluster: Cluster, created: KubernetesObject, wait: Wait): Promise<KubernetesObject> {
    const rule = ruleFor(wait.inputs);
    if (!rule) return created;
    const end = Date.now() + timeoutOf(wait.inputs, wait.timeout, rule.timeout) * 1000;
    let live = created;
    let readiness: Readiness = waiting("");
    let shown = "";
    let problemsAt = Date.now() + PROBLEMS_EVERY;
    for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
        try {
            if (live !== created || pause > FIRST_PAUSE) live = await cluster.get(created, { signal: wait.signal });
            readiness = await rule.check(live, surroundings(cluster, live, wait.signal));
        } catch (error) {
            if (wait.signal.aborted) throw stopped(`Resource operation was cancelled for "${wait.id}"`, live, wait, []);
            if (isNotFound(error)) throw new Error(`${wait.prefix}: it was deleted while waiting for it`);
            // The object exists, and the API server may be restarting: not an error before the timeout.
            readiness = { ...readiness, isReady: false, reasons: [(error as Error).message] };
        }
        if (readiness.isReady) break;
        if (readiness.message !== shown) wait.log.status(readiness.message);
        shown = readiness.message;
        if (readiness.hasFailed || Date.now() > end) break;
        if (Date.now() > problemsAt) {
            const [message] = await podMessages(cluster, live, rule, wait.signal);
            if (message) wait.log.status(message);
            problemsAt = Date.now() + PROBLEMS_EVERY;
        }
        await sleep(Math.min(pause, Math.max(end - Date.now(), 0)), undefined, { signal: wait.signal }).catch(() => {});
    }
    if (shown) wait.log.status("");
    if (readiness.isReady) return live;
    const why = readiness.hasFailed ? readiness.message : "timed out waiting for the condition";
    throw stopped(why, live, wait, await reasonsOf(cluster, live, rule, readiness, wait.signal));
}

async function reasonsOf(
    cluster: Cluster,
    live: KubernetesObject,
    rule: Rule,
    readiness: Readiness,
    signal: AbortSignal,
): Promise<string[]> {
    if (rule.isSilentError) return [];
    return [...(readiness.reasons ?? []), ...(await podMessages(cluster, live, rule, signal))];
}

function stopped(why: string, live: KubernetesObject, { prefix, id, record }: Wait, reasons: string[]): Error {
    const message = `${prefix}: ${why}`;
    return new InitializationError(message, id, record(live), [message, ...reasons]);
}
