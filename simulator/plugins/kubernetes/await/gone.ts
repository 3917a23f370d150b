import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../../protocol/serve";
import { isAnnotated, timeoutOf } from "../annotations";
import type { Cluster } from "../cluster";
import { isNotFound, isPassing, NoSuchKindError } from "../faults";
import { at, type KubernetesObject } from "../object";
import { FIVE_MINUTES, TEN_MINUTES } from "./readiness";

export interface GoneWait {
    readonly inputs: KubernetesObject;
    readonly timeout: number;
    readonly log: Log;
    readonly signal: AbortSignal;
}

const WORKLOADS = new Set(["DaemonSet", "Deployment", "StatefulSet", "ReplicationController"]);
const SKIPPABLE = new Set([...WORKLOADS, "Namespace", "Pod", "Job"]);

/** Waits until an object no longer exists, or was replaced by another one of the same name. */
export async function awaitGone(cluster: Cluster, object: KubernetesObject, wait: GoneWait): Promise<void> {
    const { kind = "", metadata: { name, uid } = {} } = object;
    const { inputs, timeout, log, signal } = wait;
    if (isAnnotated(inputs, "skipAwait") && SKIPPABLE.has(kind)) return;
    const end = Date.now() + timeoutOf(inputs, timeout, WORKLOADS.has(kind) ? TEN_MINUTES : FIVE_MINUTES) * 1000;
    let shown = "";
    for (let pause = 20; ; pause = Math.min(pause * 2, 1000)) {
        const live = await cluster.get(object, { signal }).catch((error) => {
            if (isNotFound(error) || error instanceof NoSuchKindError) return undefined;
            if (!isPassing(error)) throw error;
            return object;
        });
        if (!live || (uid && live.metadata?.uid !== uid)) return shown ? log.status("") : undefined;
        const message = `${kind} "${name}" still exists${detail(live)}`;
        if (message !== shown) log.status(message);
        shown = message;
        if (Date.now() > end) throw new Error(`timed out waiting for deletion of ${kind} "${name}"${detail(live)}`);
        await sleep(pause, undefined, { signal });
    }
}

// An object is usually kept after its deletion by finalizers.
function detail(live: KubernetesObject): string {
    const finalizers = at(live, "metadata", "finalizers");
    const waits = Array.isArray(finalizers) && finalizers.length ? `waits for ${finalizers.join(", ")}` : undefined;
    const phase = at(live, "status", "phase");
    const parts = [phase && String(phase), waits].filter(Boolean);
    return parts.length ? ` (${parts.join(", ")})` : "";
}
