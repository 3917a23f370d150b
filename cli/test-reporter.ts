import { writeFileSync } from "node:fs";
import Mocha from "mocha";

/** What a run of mocha came to; written to the file that `TRADEWIND_TEST_SUMMARY` names. */
export interface Summary {
    readonly passed: number;
    readonly skipped: number;
    /** Titles, suites first. */
    readonly failed: readonly string[];
}

/** Mocha's `spec` for people, with a summary for the program that ran it. */
module.exports = class extends Mocha.reporters.Spec {
    constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
        super(runner, options);
        const failed: string[] = [];
        runner.on("fail", (test) => failed.push(test.fullTitle()));
        runner.on("end", () => {
            const { passes, pending } = this.stats;
            const summary: Summary = { passed: passes, skipped: pending, failed };
            writeFileSync(process.env.TRADEWIND_TEST_SUMMARY!, JSON.stringify(summary));
        });
    }
};
