import { type Delta, type Durations, p99Of } from "./metrics";
import type { QueueProgram, Queues } from "./queues";
import type { Breach } from "./record";

/** What a guard measured on its node since the sample before. */
export interface Sample {
    /** Monotonic seconds. */
    readonly at: number;
    /** Seconds since the sample before. */
    readonly seconds: number;
    /** Seconds that a read and a write by the guard itself took. @default - it failed */
    readonly read?: number;
    readonly write?: number;
    /** @default - no metrics, or those of a process that has just started */
    readonly delta?: Delta;
    /** kube-apiserver has metrics, but has just started. @default false */
    readonly isYoung?: true;
    /** Watches that are open. @default - unknown */
    readonly watches?: number;
    /** @default - unknown */
    readonly queues?: Queues;
    /** Restarts of containers that are not Ready, by name of the program, since the upgrade began. */
    readonly restarts?: Readonly<Record<string, number>>;
}

/** @default - nothing got worse */
export interface Verdict {
    readonly breach?: Omit<Breach, "at">;
    /** Why the guard cannot decide. */
    readonly undecided?: string;
}

/** Samples without which nothing is compared. */
export const leastBaseline = 6;

/*
 * Something counts as worse only if it is so in all of four consecutive periods of at least 4 seconds: a rollout ends
 * connections and watches, and what follows takes some seconds.
 */
const periods = 4;
const periodSeconds = 4;
/** Seconds for which every write, or read, must fail. A change of leader of etcd takes 1 to 2. */
const refusedSeconds = 12;
const fewestRefused = 4;
/** A container that crashes starts again at once, and after 10 seconds. */
const mostRestarts = 1;
/** Seconds without metrics after which this is reported. */
const silentSeconds = 30;

interface Measure {
    readonly what: string;
    readonly of: (samples: readonly Sample[]) => number | undefined;
    /** The same before the upgrade. @default of */
    readonly before?: (samples: readonly Sample[]) => number | undefined;
    /** A value up to here is never a breach. */
    readonly floor: number;
    readonly show: (value: number) => string;
    /** Whether it must also grow from period to period. @default false */
    readonly grows?: true;
}

/** How many times its median before the upgrade a value may be. */
const factor = 3;

const showSeconds = (value: number) => (value < 10 ? `${Math.round(value * 1000)} ms` : `${Math.round(value)} s`);
const showRate = (value: number) => `${round(value)} per second`;
const showPart = (value: number) => `${round(value * 100)} %`;
const round = (value: number) => Math.round(value * 10) / 10;

const deltasOf = (samples: readonly Sample[]) => samples.flatMap(({ delta }) => delta ?? []);

/** Events of a kind per second, while metrics were read. */
function rateOf(key: "webhookFailures" | "endedWatches") {
    return (samples: readonly Sample[]) => {
        const measured = samples.filter(({ delta }) => delta !== undefined);
        const seconds = sum(measured.map((each) => each.seconds));
        return seconds === 0 ? undefined : sum(measured.map(({ delta }) => delta![key])) / seconds;
    };
}

/** Fewer requests say nothing about their slowest hundredth, or about the part that fails. */
const fewestRequests = 20;

/**
 * One second is Kubernetes' own objective for requests of single objects. On a busy machine, the guard's own ones take
 * hundreds of milliseconds while rollouts follow one after the other.
 */
const slow = { floor: 1, show: showSeconds };
/** What only grows is not being worked on; what is merely much may be usual. */
const growing = { show: (value: number) => `${value}`, grows: true } as const;

const measures: readonly Measure[] = [
    { what: "failed requests", of: failedPart, floor: 0.02, show: showPart },
    { what: "p99 of reads", ...p99(({ reads }) => reads) },
    { what: "p99 of writes", ...p99(({ writes }) => writes) },
    { what: "the guard's reads", of: (all) => median(all.flatMap(({ read }) => read ?? [])), ...slow },
    { what: "the guard's writes", of: (all) => median(all.flatMap(({ write }) => write ?? [])), ...slow },
    { what: "failed calls of admission webhooks", of: rateOf("webhookFailures"), floor: 0.5, show: showRate },
    { what: "watches ended by the server", of: rateOf("endedWatches"), floor: 5, show: showRate },
    { what: "open watches", of: fewestWatches, floor: 100, ...growing },
    // A new leader finds everything in its queues at first: they shrink from there.
    { what: "keys in work queues", of: shortest("kube-controller-manager"), floor: 100, ...growing },
    { what: "pods that wait for kube-scheduler", of: shortest("kube-scheduler"), floor: 50, ...growing },
    { what: "retries in work queues", of: failing("kube-controller-manager"), floor: 20, show: showRate },
    { what: "failed attempts to schedule pods", of: failing("kube-scheduler"), floor: 1, show: showRate },
];

/** A histogram has only buckets, the widest from 2 to 3 seconds: what is certainly more is more than a whole bucket. */
function p99(durations: (delta: Delta) => Durations) {
    const bucketOf = (samples: readonly Sample[]) => p99Of(deltasOf(samples).map(durations), fewestRequests);
    return {
        of: (samples: readonly Sample[]) => bucketOf(samples)?.above,
        before: (samples: readonly Sample[]) => bucketOf(samples)?.upTo,
        ...slow,
    };
}

function shortest(program: QueueProgram) {
    return (samples: readonly Sample[]) => least(samples.flatMap(({ queues }) => queues?.[program]?.waiting ?? []));
}

function failing(program: QueueProgram) {
    return (samples: readonly Sample[]) => {
        const rates = samples.flatMap(({ queues }) => queues?.[program]?.failedPerSecond ?? []);
        return rates.length === 0 ? undefined : sum(rates) / rates.length;
    };
}

function failedPart(samples: readonly Sample[]): number | undefined {
    const deltas = deltasOf(samples);
    const requests = sum(deltas.map((each) => each.requests));
    return requests < fewestRequests ? undefined : sum(deltas.map(({ failed }) => failed)) / requests;
}

function fewestWatches(samples: readonly Sample[]): number | undefined {
    return least(samples.flatMap(({ watches }) => watches ?? []));
}

function least(values: readonly number[]): number | undefined {
    return values.length === 0 ? undefined : Math.min(...values);
}

/**
 * Compares a node's samples since an upgrade began with those before it.
 *
 * A limit is three times the median before, at least the worst value before, and at least a floor, so that neither an
 * idle nor a noisy cluster is taken back.
 */
export function decide(before: readonly Sample[], since: readonly Sample[]): Verdict {
    const compared = before.filter(({ write }) => write !== undefined);
    if (compared.length < leastBaseline) {
        return { undecided: `only ${compared.length} of ${leastBaseline} measurements before the upgrade` };
    }
    const breach = crashes(since) ?? refused(since, "write") ?? refused(since, "read") ?? worse(compared, since);
    if (breach) return { breach };
    const [first, last] = [since[0], since.at(-1)];
    const measured = since.findLast(({ delta, isYoung }) => delta !== undefined || isYoung) ?? first;
    const silent = last && measured ? last.at - measured.at : 0;
    return silent < silentSeconds ? {} : { undecided: `no metrics of kube-apiserver for ${Math.round(silent)} s` };
}

function crashes(since: readonly Sample[]): Verdict["breach"] {
    const [found] = Object.entries(since.at(-1)?.restarts ?? {}).filter(([, count]) => count > mostRestarts);
    if (found === undefined) return undefined;
    const [program, count] = found;
    return { what: `restarts of ${program}`, before: "0", after: `${count}`, limit: `${mostRestarts}` };
}

function refused(since: readonly Sample[], kind: "read" | "write"): Verdict["breach"] {
    const last = since.findLastIndex((each) => each[kind] !== undefined);
    const failed = since.slice(last + 1);
    // What failed first began when the sample before it had ended.
    const seconds = sum(failed.map((each) => each.seconds));
    if (failed.length < fewestRefused || seconds < refusedSeconds) return undefined;
    const what = `the guard's ${kind}s that failed`;
    return { what, before: "0 s", after: `${Math.round(seconds)} s`, limit: `${refusedSeconds} s` };
}

function worse(before: readonly Sample[], since: readonly Sample[]): Verdict["breach"] {
    const recent = recentPeriods(since);
    if (recent === undefined) return undefined;
    for (const { what, of, before: ofBefore = of, floor, show, grows } of measures) {
        const values = recent.flatMap((each) => of(each) ?? []);
        const earlier = before.flatMap((each) => ofBefore([each]) ?? []);
        const usual = median(earlier);
        if (values.length < periods || usual === undefined) continue;
        const limit = Math.max(floor, factor * usual, ...earlier);
        const isGrowing = values.every((value, index) => index === 0 || value > values[index - 1]!);
        const all = grows ? values.at(-1)! : of(recent.flat())!;
        // Few failures among few requests are often chance: their spread is the root of their number.
        const slack = what === "failed requests" ? chance(recent.flat(), limit) : 0;
        const isWorse = grows ? isGrowing && values[1]! > limit : values.every((value) => value > limit);
        if (isWorse && all > limit + slack) {
            return { what, before: show(usual), after: show(all), limit: show(limit) };
        }
    }
    return undefined;
}

function chance(samples: readonly Sample[], limit: number): number {
    const requests = sum(deltasOf(samples).map((each) => each.requests));
    return (2 * Math.sqrt(limit * requests)) / requests;
}

/** The last samples in consecutive periods; undefined if there are not enough of them. */
function recentPeriods(samples: readonly Sample[]): Sample[][] | undefined {
    const found: Sample[][] = [];
    let period: Sample[] = [];
    for (const sample of [...samples].reverse()) {
        period.unshift(sample);
        if (sum(period.map(({ seconds }) => seconds)) < periodSeconds) continue;
        found.unshift(period);
        if (found.length === periods) return found;
        period = [];
    }
    return undefined;
}

function sum(values: readonly number[]): number {
    return values.reduce((all, each) => all + each, 0);
}

function median(values: readonly number[]): number | undefined {
    return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)];
}
