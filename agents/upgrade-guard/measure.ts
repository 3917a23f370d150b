import { type Caller, patch } from "../../clients/kubernetes/api-client";
import { ifFound, isNotFound } from "../../clients/kubernetes/api-error";
import { isReady, type Pod } from "../../clients/kubernetes/objects";
import type { Sample } from "./decide";
import { deltaOf, readTotals, startedWithin, type Totals } from "./metrics";
import { probeLease } from "./plan";
import type { QueueReader } from "./queues";
import { guardedPrograms } from "./record";

/** Something slower counts as failed. */
const timeoutMilliseconds = 4_000;
/** Seconds after the start of a kube-apiserver for which it is slow and has no watches yet. */
const youngSeconds = 15;

const leases = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
const call = { isFresh: true, timeoutMilliseconds } as const;

/** Measures the API of one node. */
export class Measurements {
    #totals?: { readonly all: Totals; readonly at: number };
    #last?: number;
    /** Restarts while the machine started, by name of the pod. */
    #excused: Readonly<Record<string, number>> = {};

    constructor(
        private readonly api: Caller,
        private readonly node: string,
        private readonly queues: Pick<QueueReader, "read">,
        /** Monotonic milliseconds. */
        private readonly clock: () => number,
    ) {}

    /**
     * @param since - when an upgrade began, in milliseconds since 1970. @default - restarts since then are not counted
     * @param isStarting - the machine has just started, so that restarts until now are not the upgrade's fault
     */
    async take(since?: number, isStarting = false): Promise<Sample> {
        const began = this.clock() / 1000;
        const [read, write, totals, queues, restarts] = await Promise.all([
            this.#timed(() => ifFound(this.api.call(`${leases}/${probeLease(this.node)}`, call))),
            this.#timed(() => this.#write()),
            this.#read(),
            this.queues.read(),
            since === undefined ? undefined : this.#restarts(since, isStarting),
        ]);
        const at = this.clock() / 1000;
        const seconds = at - (this.#last ?? began);
        this.#last = at;
        const before = this.#totals;
        if (totals) this.#totals = { all: totals, at };
        const isYoung = totals !== undefined && startedWithin(youngSeconds, totals);
        // A sample without metrics in between would make one delta of several samples' time.
        const isNext = before && at - before.at <= seconds + 0.001;
        const delta = totals && !isYoung && isNext ? deltaOf(before.all, totals) : undefined;
        return {
            at,
            seconds,
            ...(read !== undefined && { read }),
            ...(write !== undefined && { write }),
            ...(delta && { delta }),
            ...(isYoung && { isYoung }),
            ...(totals && !isYoung && { watches: totals.watches }),
            queues,
            ...(restarts && { restarts }),
        };
    }

    /** Seconds that a request took; undefined if it failed. */
    async #timed(act: () => Promise<unknown>): Promise<number | undefined> {
        const began = this.clock();
        try {
            await act();
            return (this.clock() - began) / 1000;
        } catch {
            return undefined;
        }
    }

    async #write(): Promise<void> {
        const name = probeLease(this.node);
        const spec = { holderIdentity: this.node, renewTime: new Date().toISOString().replace("Z", "000Z") };
        const timed = { call: <T>(path: string, each?: object) => this.api.call<T>(path, { ...each, ...call }) };
        try {
            await patch(timed, `${leases}/${name}`, "merge", { spec });
        } catch (error) {
            if (!isNotFound(error)) throw error;
            const body = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name }, spec };
            await timed.call(leases, { method: "POST", body });
        }
    }

    async #read(): Promise<Totals | undefined> {
        try {
            return readTotals(await this.api.call<string>("/metrics", { ...call, accept: "text/plain" }));
        } catch {
            return undefined;
        }
    }

    async #restarts(since: number, isStarting: boolean): Promise<Sample["restarts"]> {
        const query = new URLSearchParams({
            labelSelector: `k8s-app in (${guardedPrograms.join()})`,
            fieldSelector: `spec.nodeName=${this.node}`,
        });
        try {
            const path = `/api/v1/namespaces/kube-system/pods?${query}`;
            const { items } = await this.api.call<{ readonly items: readonly Pod[] }>(path, call);
            if (isStarting) {
                this.#excused = Object.fromEntries(items.map((pod) => [pod.metadata.name, restartCount(pod)]));
            }
            return restartsOf(items, since, this.#excused);
        } catch {
            return undefined;
        }
    }
}

/**
 * Restarts of pods that were created since then and are not Ready, by program.
 *
 * @param excused - restarts that do not count, by name of the pod
 */
export function restartsOf(
    pods: readonly Pod[],
    since: number,
    excused: Readonly<Record<string, number>> = {},
): Record<string, number> {
    const found: Record<string, number> = {};
    for (const pod of pods) {
        const { metadata, status } = pod;
        if (isReady(status) || Date.parse(metadata.creationTimestamp ?? "") < since) continue;
        const program = metadata.labels?.["k8s-app"] ?? metadata.name;
        found[program] = Math.max(found[program] ?? 0, restartCount(pod) - (excused[metadata.name] ?? 0));
    }
    return found;
}

function restartCount({ status }: Pod): number {
    return Math.max(0, ...(status?.containerStatuses ?? []).map(({ restartCount = 0 }) => restartCount));
}
