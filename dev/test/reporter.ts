import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import Mocha from "mocha";
import { isLong, LONG_TAG } from "../../test/takes-long";

const TESTS = join(__dirname, "../../test");

/** Result of a mocha run; written to the file named by `TRADEWIND_TEST_SUMMARY`. */
export interface Summary {
    readonly passed: number;
    readonly skipped: number;
    /** Full titles of failed tests with their errors. */
    readonly failed: readonly string[];
    /** Results of long tests that ran. */
    readonly long?: readonly LongRun[];
}

/** A run of a long test or hook. */
export interface LongRun {
    /** Path of the file below `test/`. */
    readonly file: string;
    readonly milliseconds: number;
    readonly isPassed: boolean;
}

/** Mocha's `spec` reporter, plus a summary for the calling program. */
module.exports = class extends Mocha.reporters.Spec {
    constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
        super(runner, options);
        const failures: [test: Mocha.Runnable, error: unknown][] = [];
        const long: LongRun[] = [];
        const note = (test: Mocha.Runnable, isPassed: boolean) => {
            // Hooks are named after the first test of their group, which may be a long one that does not run.
            if (!isLong || !test.fullTitle().includes(LONG_TAG) || test.file === undefined) return;
            long.push({ file: relative(TESTS, test.file), milliseconds: test.duration ?? 0, isPassed });
        };
        runner.on("pass", (test) => note(test, true));
        runner.on("hook end", (hook) => note(hook, true));
        runner.on("fail", (test, error) => {
            note(test, false);
            failures.push([test, error]);
            // Mocha prints it at the end, which an interrupted run does not reach.
            console.log(`    ${inShort(error)}`);
        });
        runner.on("end", () => {
            const { passes, pending } = this.stats;
            // Hooks may have added details.
            const failed = failures.map(([test, error]) => `${test.fullTitle()}: ${inShort(error)}`);
            const summary: Summary = { passed: passes, skipped: pending, failed, long };
            writeFileSync(process.env.TRADEWIND_TEST_SUMMARY!, JSON.stringify(summary));
        });
    }
};

/** The result is printed last, and is often all that is kept of a run. */
function inShort(error: unknown): string {
    // From another mocha process it arrives as a plain object.
    const { message } = error as { message?: unknown };
    const text = typeof message === "string" ? message : String(error);
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    return lines.slice(0, 16).join("\n    ").slice(0, 2000);
}
