import assert from "node:assert/strict";
import fc from "fast-check";
import { decide, leastBaseline, type Sample, type Verdict } from "../../../../agents/upgrade-guard/decide";

interface Load {
    readonly requests: number;
    readonly failed: number;
    /** Seconds of the slowest requests. */
    readonly slowest: number;
    readonly watches: number;
    readonly write?: number;
    readonly waiting?: number;
    readonly failing?: number;
}

const usual: Load = { requests: 100, failed: 0, slowest: 0.05, watches: 100, write: 0.01 };

/** Those of kube-apiserver. */
const bounds = [
    ...[0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3],
    ...[4, 5, 6, 8, 10, 15, 20, 30, 45, 60],
];

/** A tenth of the requests take as long as the slowest. */
function durations(count: number, slowest: number) {
    const all = bounds.map((bound) => [`${bound}`, bound >= slowest ? count : bound >= 0.05 ? count * 0.9 : 0]);
    return Object.fromEntries([...all, ["+Inf", count]]);
}

function sample(load: Load, at: number, seconds: number): Sample {
    const { requests, failed, slowest, watches, write, waiting = 0, failing = 0 } = load;
    const queue = { waiting, failedPerSecond: failing };
    const queues = { "kube-controller-manager": queue, "kube-scheduler": queue };
    const each = durations(requests / 2, slowest);
    const delta = { requests, failed, webhookFailures: 0, endedWatches: 0, reads: each, writes: each };
    return { at, seconds, read: 0.01, ...(write !== undefined && { write }), delta, watches, queues };
}

const series = (loads: readonly Load[], seconds = 2) =>
    loads.map((load, index) => sample(load, index * seconds, seconds));
const before = series(Array(20).fill(usual), 30);

/** The first verdict with a breach, as a guard sees one sample after the other, and after how many seconds. */
function found(since: readonly Sample[], earlier = before): (Verdict & { readonly seconds: number }) | undefined {
    for (let count = 1; count <= since.length; count++) {
        const verdict = decide(earlier, since.slice(0, count));
        if (verdict.breach) return { ...verdict, seconds: since[count - 1]!.at };
    }
    return undefined;
}

describe("decisions of an upgrade guard", () => {
    const quiet: Load[] = Array(15).fill(usual);
    const breaches: readonly [string, readonly Load[], RegExp][] = [
        ["five times slower and above a second", Array(15).fill({ ...usual, slowest: 3 }), /^p99 of reads$/],
        ["5 % failed requests", Array(15).fill({ ...usual, failed: 5 }), /^failed requests$/],
        ["all writes refused", Array(15).fill({ ...usual, write: undefined }), /^the guard's writes that failed$/],
        [
            "watches that only grow",
            quiet.map((load, index) => ({ ...load, watches: 100 + 60 * index })),
            /^open watches$/,
        ],
        [
            "work that is not done",
            quiet.map((load, index) => ({ ...load, waiting: 60 * index })),
            /^keys in work queues$/,
        ],
        ["work that fails", Array(15).fill({ ...usual, failing: 30 }), /^retries in work queues$/],
        ["slow writes of its own", Array(15).fill({ ...usual, requests: 4, write: 2 }), /^the guard's writes$/],
    ];
    for (const [title, loads, what] of breaches) {
        it(`finds within 30 seconds: ${title}`, () => {
            const breach = found(series(loads));
            assert.match(breach?.breach?.what ?? "nothing", what);
            assert.ok(breach!.seconds <= 30, `${breach!.seconds}`);
        });
    }

    it("finds pods that are not tried, or in vain, where kube-controller-manager works", () => {
        const since = (waiting: number, failing: number) =>
            series(quiet).map((each, index) => {
                const queue = { waiting: waiting * index, failedPerSecond: failing };
                return { ...each, queues: { ...each.queues, "kube-scheduler": queue } };
            });
        assert.equal(found(since(20, 0))?.breach?.what, "pods that wait for kube-scheduler");
        assert.equal(found(since(0, 2))?.breach?.what, "failed attempts to schedule pods");
        assert.equal(found(since(3, 1)), undefined);
    });

    it("compares the rest where queues cannot be read", () => {
        const without = (samples: readonly Sample[]) => samples.map(({ queues, ...rest }) => rest);
        assert.equal(found(without(series(quiet)), without(before)), undefined);
        const failing = series(breaches[1]![1]);
        assert.equal(found(without(failing), without(before))?.breach?.what, "failed requests");
    });

    it("finds a program that crashes again and again, and shows the numbers", () => {
        const [last] = series([usual]);
        assert.deepEqual(decide(before, [{ ...last!, restarts: { "kube-scheduler": 1 } }]), {});
        assert.deepEqual(decide(before, [{ ...last!, restarts: { "kube-scheduler": 2 } }]).breach, {
            what: "restarts of kube-scheduler",
            before: "0",
            after: "2",
            limit: "1",
        });
    });

    it("shows what got worse with units", () => {
        assert.deepEqual(found(series(breaches[1]![1]))?.breach, {
            what: "failed requests",
            before: "0 %",
            after: "5 %",
            limit: "2 %",
        });
    });

    it("does nothing without measurements before the upgrade, and says so", () => {
        const verdict = decide(before.slice(1, leastBaseline), series(breaches[2]![1]));
        assert.deepEqual(verdict, { undecided: "only 5 of 6 measurements before the upgrade" });
    });

    it("says for how long there have been no metrics", () => {
        const silent = series(quiet.concat(quiet)).map(({ delta, ...rest }, index) =>
            index ? rest : { ...rest, delta },
        );
        assert.deepEqual(decide(before, silent), { undecided: "no metrics of kube-apiserver for 58 s" });
    });

    it("does not take a busy machine for a fault: its requests take less than a second", () => {
        assert.equal(found(series(Array(60).fill({ ...usual, slowest: 0.9, write: 0.5 }))), undefined);
    });

    it("does not take slow requests before the upgrade for a fault of it", () => {
        const slow = { ...usual, slowest: 3, write: 1.2 };
        assert.equal(found(series(Array(60).fill(slow)), series(Array(20).fill(slow), 30)), undefined);
    });

    it("does not take the width of a histogram's bucket for a fault", () => {
        const slow = (slowest: number) => ({ ...usual, slowest });
        const earlier = series(Array(20).fill(slow(0.79)), 30);
        assert.equal(found(series(Array(60).fill(slow(2.01))), earlier), undefined);
        assert.equal(found(series(Array(60).fill(slow(3.01))), earlier)?.breach?.what, "p99 of reads");
    });

    /** A load of a cluster, with noise of up to half of each value. */
    const noisy = (base: Load) =>
        fc.record({
            requests: fc.integer({ min: Math.floor(base.requests / 2), max: base.requests * 2 }),
            failed: fc.constant(base.failed),
            slowest: fc.double({ min: base.slowest / 2, max: base.slowest * 1.5, noNaN: true }),
            watches: fc.integer({ min: Math.floor(base.watches / 2), max: Math.ceil(base.watches * 1.5) }),
            write: fc.double({ min: base.write! / 2, max: base.write! * 1.5, noNaN: true }),
            waiting: fc.integer({ min: Math.floor(base.waiting! / 2), max: Math.ceil(base.waiting! * 1.5) }),
            failing: fc.double({ min: base.failing! / 2, max: base.failing! * 1.5, noNaN: true }),
        });
    const bases = fc.record({
        requests: fc.integer({ min: 0, max: 2000 }),
        failed: fc.constant(0),
        slowest: fc.double({ min: 0.001, max: 4, noNaN: true }),
        watches: fc.integer({ min: 0, max: 3000 }),
        write: fc.double({ min: 0.001, max: 1.5, noNaN: true }),
        waiting: fc.integer({ min: 0, max: 1000 }),
        failing: fc.double({ min: 0, max: 50, noNaN: true }),
    });

    /** A burst: for less than 10 seconds anything may happen. */
    const burst = fc.record({
        from: fc.integer({ min: 0, max: 50 }),
        loads: fc.array(
            fc.record({
                requests: fc.constant(100),
                failed: fc.integer({ min: 0, max: 100 }),
                slowest: fc.double({ min: 0.1, max: 60, noNaN: true }),
                watches: fc.integer({ min: 0, max: 5000 }),
                write: fc.option(fc.double({ min: 0.1, max: 4, noNaN: true }), { nil: undefined }),
            }),
            { maxLength: 4 },
        ),
    });

    it("never finds a breach in noise like that before, with bursts and handovers to another kube-apiserver", () => {
        const all = bases.chain((base) =>
            fc.record({
                earlier: fc.array(noisy(base), { minLength: leastBaseline, maxLength: 20 }),
                since: fc.array(noisy(base), { minLength: 60, maxLength: 60 }),
                burst,
                handover: fc.integer({ min: 0, max: 50 }),
            }),
        );
        fc.assert(
            fc.property(all, ({ earlier, since, burst: { from, loads }, handover }) => {
                // A new leader of the controllers finds all objects in its queues.
                const surge = (index: number) =>
                    index > handover + 8 ? Math.round(5_000 * 0.8 ** (index - handover)) : 0;
                const busy = since.map((load, index) => ({ ...load, waiting: load.waiting + surge(index) }));
                const disturbed = busy.map((load, index) => loads[index - from] ?? load);
                const samples = series(disturbed).map((each, index): Sample => {
                    // Metrics of a process that has just started are not compared; its watches come back one by one.
                    const age = index - handover;
                    if (age < 0 || age > 8) return each;
                    const { delta, queues, ...rest } = each;
                    return { ...rest, watches: Math.round(((each.watches ?? 0) * age) / 8) };
                });
                const verdict = found(samples, series(earlier, 30));
                assert.equal(verdict?.breach, undefined, JSON.stringify(verdict));
            }),
            { numRuns: 300 },
        );
    }).timeout(60_000);

    it("always finds within 30 seconds what is clearly worse than any noise before", () => {
        const all = bases
            .map((base) => ({ ...base, requests: base.requests + 100 }))
            .chain((base) =>
                fc.record({
                    base: fc.constant(base),
                    earlier: fc.array(noisy(base), { minLength: leastBaseline, maxLength: 20 }),
                    since: fc.array(noisy(base), { minLength: 15, maxLength: 15 }),
                    kind: fc.constantFrom("slow", "failed", "refused"),
                }),
            );
        fc.assert(
            fc.property(all, ({ base, earlier, since, kind }) => {
                const worse = since.map((load) => ({
                    ...load,
                    ...(kind === "slow" && { slowest: Math.max(2, 10 * base.slowest) }),
                    ...(kind === "failed" && { failed: Math.ceil(load.requests * 0.05) }),
                    ...(kind === "refused" && { write: undefined }),
                }));
                assert.ok(found(series(worse), series(earlier, 30)), kind);
            }),
            { numRuns: 300 },
        );
    }).timeout(60_000);
});
