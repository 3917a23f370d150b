import { join } from "node:path";
import { collectTestLogs } from "../../cli/test-clusters";

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
            await collectTestLogs(join(process.env.TRADEWIND_TEST_LOGS!, name));
        }
    },
};
