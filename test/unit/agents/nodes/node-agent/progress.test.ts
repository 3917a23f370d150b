import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Attempts, counted, type Memory, type Moment, Progress } from "../../../../../agents/nodes/node-agent/progress";

const moments = (...all: Partial<Moment>[]) =>
    all
        .map((each): Moment => ({ about: "a change", isKnown: true, isWell: false, now: 0, ...each }))
        .reduce<ReturnType<typeof counted> | undefined>(counted, undefined)!;

describe("the duration of a node's state", () => {
    it("is counted from the second observation on", () => {
        assert.deepEqual(moments({ now: 100 }), { about: "a change", observed: 0, silent: 0, settled: 0, last: 100 });
        assert.equal(moments({ now: 100 }, { now: 105 }).observed, 5);
    });

    it("is counted while all is well", () => {
        const well = [{ now: 100 }, { now: 105, isWell: true }, { now: 112, isWell: true }];
        assert.equal(moments(...well).settled, 12);
        assert.equal(moments(...well, { now: 113 }).settled, 0);
    });

    it("counts unknown time separately, which resets nothing", () => {
        const { observed, silent, settled } = moments(
            { now: 100 },
            { now: 105, isWell: true },
            { now: 125, isKnown: false },
        );
        assert.deepEqual({ observed, silent, settled }, { observed: 5, silent: 20, settled: 5 });
    });

    it("restarts for another subject, except for the time since the last observation", () => {
        assert.deepEqual(moments({ now: 100 }, { now: 105 }, { now: 107, about: "another" }), {
            about: "another",
            observed: 2,
            silent: 0,
            settled: 0,
            last: 107,
        });
    });
});

type Journal = { readonly phase: "idle" | "busy" } | { readonly phase: "failed"; readonly reason: string };

/** Does what it is told. */
class Described extends Progress<Journal, undefined> {
    readonly before: (Memory | undefined)[] = [];

    become(journal: Journal): void {
        this.advance((_, before, now) => {
            this.before.push(before);
            return { journal, memory: counted(before, { about: "it", isKnown: true, isWell: true, now }) };
        });
    }
}

describe("progress", () => {
    const folder = mkdtempSync(join(tmpdir(), "tradewind-progress-"));
    const path = join(folder, "journal.json");
    const progress = () => new Described(path, undefined, () => {});
    after(() => rmSync(folder, { recursive: true }));

    it("is on the disk before anything is done, and goes on there", () => {
        assert(!progress().isBegun);
        progress().become({ phase: "busy" });
        assert.equal(readFileSync(path, "utf8"), '{\n  "phase": "busy"\n}\n');
        const next = progress();
        assert(next.isBegun);
        assert.equal(next.failure, undefined);
        next.become({ phase: "failed", reason: "it broke" });
        assert.equal(progress().failure, "it broke");
    });

    it("remembers how long observations have held, until it is interrupted", () => {
        const reported = progress();
        for (let count = 0; count < 2; count++) reported.become({ phase: "idle" });
        reported.interrupt();
        reported.become({ phase: "idle" });
        assert.deepEqual(
            reported.before.map((memory) => memory?.about),
            [undefined, "it", undefined],
        );
    });
});

describe("attempts", () => {
    it("pause after a failure, whose reason is observed until one succeeds", async () => {
        const attempts = new Attempts();
        assert.equal(await attempts.try(() => Promise.reject(new Error("404"))), "404");
        assert(attempts.isPaused);
        assert.deepEqual(attempts.observed, { fetchProblem: "404" });
        assert.equal(await attempts.try(async () => {}), undefined);
        assert.deepEqual(attempts.observed, {});
    });
});
