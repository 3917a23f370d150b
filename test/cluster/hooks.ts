import { join } from "node:path";
import { collectTestLogs } from "../../dev/test/setup";
import { stillRunning } from "./commands-running";
import { lastWords } from "./last-words";

/** `npm test` loads these: a failed test's logs are saved before the next one, or its own clean-up, changes them. */
export const mochaHooks = {
    async afterEach(this: Mocha.Context) {
        const test = this.currentTest;
        if (test?.state === "failed") {
            this.timeout(180_000);
            const name = test
                .fullTitle()
                .replace(/[^a-z0-9]+/gi, "-")
                .slice(0, 100);
            // Immediately: what it waited for may happen while logs are collected.
            const running = stillRunning();
            const logs = join(process.env.TRADEWIND_TEST_LOGS!, name);
            await collectTestLogs(logs);
            // A timeout alone does not explain anything.
            if (test.err && running.length > 0) {
                const told = [test.err.message, ...running, ...lastWords(logs)].join("\n");
                test.err.message = told.replace(/^(.{200}).+$/gm, "$1…");
            }
        }
    },
};
