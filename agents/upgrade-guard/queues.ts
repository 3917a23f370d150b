import type { Caller } from "../../clients/kubernetes/api-client";
import { describeError } from "../../clients/kubernetes/api-error";
import type { Listeners } from "../metrics-proxy/listeners";
import { label, linesOf, startedWithin } from "./metrics";
import type { UpgradeGuardPlan } from "./plan";

/** What waits for a program that works through queues, and what failed there. */
export interface Queue {
    /** Keys in all work queues of kube-controller-manager, or pods that kube-scheduler is about to try. */
    readonly waiting: number;
    /** Retries, or failed attempts, per second since the sample before. @default - not known yet */
    readonly failedPerSecond?: number;
}

export const queuePrograms = ["kube-controller-manager", "kube-scheduler"] as const;

export type QueueProgram = (typeof queuePrograms)[number];

export type Queues = Readonly<Partial<Record<QueueProgram, Queue>>>;

export interface QueueTotals {
    readonly started: number;
    readonly waiting: number;
    readonly failed: number;
}

/** Seconds after the start of a process for which everything waits. */
const youngSeconds = 15;

/** In a row, before they are logged: a rollout ends processes. */
const failuresUntilLogged = 5;

const timeoutMilliseconds = 4_000;

interface Dependencies {
    readonly listeners: Pick<Listeners, "find">;
    /** A client of a process at a loopback address and port. */
    readonly clientAt: (address: string, port: number) => Caller;
    readonly log: (line: string) => void;
    /** Monotonic milliseconds. */
    readonly clock?: () => number;
}

/** Reads the queues of a node's programs from their metrics. Only those of leaders have any. */
export class QueueReader {
    readonly #last = new Map<QueueProgram, QueueTotals & { readonly at: number }>();
    readonly #failures = new Map<QueueProgram, number>();

    constructor(
        private readonly plan: UpgradeGuardPlan["queues"],
        private readonly deps: Dependencies,
    ) {}

    /** Leaves out what cannot be read. */
    async read(): Promise<Queues> {
        const read = await Promise.all(queuePrograms.map(async (name) => [name, await this.#read(name)] as const));
        return Object.fromEntries(read.filter(([, queue]) => queue !== undefined));
    }

    async #read(name: QueueProgram): Promise<Queue | undefined> {
        try {
            const totals = await this.#totals(name);
            if ((this.#failures.get(name) ?? 0) >= failuresUntilLogged) {
                this.deps.log(`${name}'s queues are compared again`);
            }
            this.#failures.delete(name);
            return this.#since(name, totals);
        } catch (error) {
            const failures = (this.#failures.get(name) ?? 0) + 1;
            this.#failures.set(name, failures);
            if (failures === failuresUntilLogged) {
                this.deps.log(
                    `${name}'s queues are not compared: its metrics could not be read: ${describeError(error)}`,
                );
            }
            return undefined;
        }
    }

    async #totals(name: QueueProgram): Promise<QueueTotals> {
        const place = this.plan[name];
        const address = await this.deps.listeners.find(place);
        if (address === undefined) throw new Error("it does not run on this node");
        const call = { isFresh: true, timeoutMilliseconds, accept: "text/plain" } as const;
        const totals = readQueue(name, await this.deps.clientAt(address, place.port).call<string>("/metrics", call));
        if (totals === undefined) throw new Error("they have no queues");
        return totals;
    }

    #since(name: QueueProgram, totals: QueueTotals): Queue | undefined {
        const { clock = () => performance.now() } = this.deps;
        const [last, at] = [this.#last.get(name), clock()];
        this.#last.set(name, { ...totals, at });
        if (startedWithin(youngSeconds, totals)) return undefined;
        const seconds = last?.started === totals.started ? (at - last.at) / 1000 : 0;
        const { waiting, failed } = totals;
        return { waiting, ...(seconds > 0 && { failedPerSecond: (failed - last!.failed) / seconds }) };
    }
}

/** The totals in a program's `/metrics`; undefined if they are missing. */
export function readQueue(program: QueueProgram, text: string): QueueTotals | undefined {
    let started: number | undefined;
    const found = { waiting: 0, failed: 0 };
    let isFound = false;
    for (const { name, line, value } of linesOf(text)) {
        if (name === "process_start_time_seconds") started = value();
        const what = program === "kube-scheduler" ? scheduling(name, line) : controlling(name);
        if (what === undefined) continue;
        found[what] += value();
        isFound ||= what === "waiting";
    }
    return started === undefined || !isFound ? undefined : { started, ...found };
}

function controlling(name: string): keyof Omit<QueueTotals, "started"> | undefined {
    if (name === "workqueue_depth") return "waiting";
    return name === "workqueue_retries_total" ? "failed" : undefined;
}

function scheduling(name: string, line: string): keyof Omit<QueueTotals, "started"> | undefined {
    // Pods that fit nowhere wait in other queues.
    if (name === "scheduler_pending_pods" && /"(active|backoff)"/.test(line)) return "waiting";
    const isError = name === "scheduler_schedule_attempts_total" && label(line, "result") === "error";
    return isError ? "failed" : undefined;
}
