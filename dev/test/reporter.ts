import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import Mocha from "mocha";
import { LONG_TAG } from "../../test/takes-long";

const TESTS = join(__dirname, "../../test");

/** What a run of mocha came to; written to the file that `TRADEWIND_TEST_SUMMARY` names. */
export interface Summary {
    readonly passed: number;
    readonly skipped: number;
    /** Titles, suites first, and what each failed with. */
    readonly failed: readonly string[];
    /** What became of tests that take long, if they ran. */
    readonly long?: readonly LongRun[];
}

/** A run of a test, or of a hook, that takes long. */
export interface LongRun {
    /** Path of its file below `test/`. */
    readonly file: string;
    readonly milliseconds: number;
    readonly isPassed: boolean;
}

/** Mocha's `spec` for people, with a summary for the program that ran it. */
module.exports = class extends Mocha.reporters.Spec {
    constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
        super(runner, options);
        const failures: [test: Mocha.Runnable, error: unknown][] = [];
        const long: LongRun[] = [];
        const note = (test: Mocha.Runnable, isPassed: boolean) => {
            if (!test.fullTitle().includes(LONG_TAG) || test.file === undefined) return;
            long.push({ file: relative(TESTS, test.file), milliseconds: test.duration ?? 0, isPassed });
        };
        runner.on("pass", (test) => note(test, true));
        runner.on("hook end", (hook) => note(hook, true));
        runner.on("fail", (test, error) => {
            note(test, false);
            failures.push([test, error]);
        });
        runner.on("end", () => {
            const { passes, pending } = this.stats;
            // Hooks may have added what they know.
            const failed = failures.map(([test, error]) => `${test.fullTitle()}: ${inShort(error)}`);
            const summary: Summary = { passed: passes, skipped: pending, failed, long };
            writeFileSync(process.env.TRADEWIND_TEST_SUMMARY!, JSON.stringify(summary));
        });
    }
};

/** The result is the last that a run prints, and often all that is kept of it. */
function inShort(error: unknown): string {
    // From another process of mocha's it comes as a plain object.
    const { message } = error as { message?: unknown };
    const text = typeof message === "string" ? message : String(error);
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    return lines.slice(0, 16).join("\n    ").slice(0, 2000);
}
