/** Totals of a kube-apiserver process since its start. */
export interface Totals {
    /** When the process started: seconds since 1970. Totals of two processes cannot be compared. */
    readonly started: number;
    readonly requests: number;
    /** Requests with status 5xx, or dropped by overload. */
    readonly failed: number;
    /** Calls of admission webhooks that failed. */
    readonly webhookFailures: number;
    /** Watches that the server ended because their clients were too slow. */
    readonly endedWatches: number;
    /** Watches that are open now. */
    readonly watches: number;
    readonly reads: Durations;
    readonly writes: Durations;
}

/** Requests up to each upper bound in seconds, as in a Prometheus histogram: `{ "0.005": 12, "+Inf": 13 }`. */
export type Durations = Readonly<Record<string, number>>;

const reads = ["GET", "LIST"];
const writes = ["POST", "PUT", "PATCH", "APPLY", "DELETE"];

/** The totals in a kube-apiserver's `/metrics`; undefined if they are missing. */
export function readTotals(text: string): Totals | undefined {
    const totals = { requests: 0, failed: 0, webhookFailures: 0, endedWatches: 0, watches: 0 };
    const durations = { reads: {} as Record<string, number>, writes: {} as Record<string, number> };
    let started: number | undefined;
    for (const { name, line, value } of linesOf(text)) {
        if (name === "process_start_time_seconds") started = value();
        else if (name === "apiserver_terminated_watchers_total") totals.endedWatches += value();
        else if (name === "apiserver_longrunning_requests") {
            if (label(line, "verb") === "WATCH") totals.watches += value();
        } else if (name === "apiserver_request_total") {
            totals.requests += value();
            if (label(line, "code")?.startsWith("5")) totals.failed += value();
        } else if (name === "apiserver_request_terminations_total") {
            // Requests that were dropped are not in the other total.
            if (label(line, "code") !== "429") continue;
            totals.requests += value();
            totals.failed += value();
        } else if (name === "apiserver_admission_webhook_rejection_count") {
            // Denied by the webhook itself: it works.
            if (label(line, "error_type") !== "no_error") totals.webhookFailures += value();
        } else if (name === "apiserver_admission_webhook_fail_open_count") totals.webhookFailures += value();
        else if (name === "apiserver_request_duration_seconds_bucket") {
            const verb = label(line, "verb") ?? "";
            const kind = reads.includes(verb) ? "reads" : writes.includes(verb) ? "writes" : undefined;
            const bound = label(line, "le");
            if (kind && bound) durations[kind][bound] = (durations[kind][bound] ?? 0) + value();
        }
    }
    return started === undefined || totals.requests === 0 ? undefined : { started, ...totals, ...durations };
}

/** Lines of a `/metrics`. Most are of other metrics: so they are not parsed further. */
export function* linesOf(text: string) {
    for (const line of text.split("\n")) {
        const value = () => Number(line.slice(line.lastIndexOf(" ") + 1));
        yield { name: line.slice(0, line.search(/[{ ]/)), line, value };
    }
}

export function label(line: string, name: string): string | undefined {
    const begin = line.indexOf(`${name}="`);
    // The same letters may end another label's name: `code` in `error_code`.
    if (begin < 1 || !"{,".includes(line[begin - 1]!)) return undefined;
    const from = begin + name.length + 2;
    return line.slice(from, line.indexOf('"', from));
}

/** Whether a process has just started. One that started in the future did so before the clock was set back. */
export function startedWithin(seconds: number, { started }: Pick<Totals, "started">, now = Date.now()): boolean {
    const age = now / 1000 - started;
    return age >= 0 && age < seconds;
}

/** What happened between two samples of one process. */
export type Delta = Omit<Totals, "started" | "watches">;

export function deltaOf(before: Totals, after: Totals): Delta | undefined {
    if (before.started !== after.started) return undefined;
    const rest = (key: "requests" | "failed" | "webhookFailures" | "endedWatches") => after[key] - before[key];
    return {
        requests: rest("requests"),
        failed: rest("failed"),
        webhookFailures: rest("webhookFailures"),
        endedWatches: rest("endedWatches"),
        reads: subtract(after.reads, before.reads),
        writes: subtract(after.writes, before.writes),
    };
}

function subtract(after: Durations, before: Durations): Durations {
    return Object.fromEntries(Object.entries(after).map(([bound, count]) => [bound, count - (before[bound] ?? 0)]));
}

/** The bucket of the duration in seconds that 99 % of requests do not exceed; undefined if there are fewer than this. */
export function p99Of(all: readonly Durations[], least: number): Bucket | undefined {
    const sums = new Map<number, number>();
    for (const each of all) {
        for (const [bound, count] of Object.entries(each)) {
            const limit = bound === "+Inf" ? Number.POSITIVE_INFINITY : Number(bound);
            sums.set(limit, (sums.get(limit) ?? 0) + count);
        }
    }
    const buckets = [...sums].sort(([one], [other]) => one - other);
    const count = buckets.at(-1)?.[1] ?? 0;
    const found = buckets.findIndex(([, upTo]) => upTo >= 0.99 * count);
    return count < least || found < 0 ? undefined : { above: buckets[found - 1]?.[0] ?? 0, upTo: buckets[found]![0] };
}

/** Where a duration is in a histogram, in seconds. */
export interface Bucket {
    readonly above: number;
    readonly upTo: number;
}
