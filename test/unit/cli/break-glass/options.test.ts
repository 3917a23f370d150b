import assert from "node:assert/strict";
import { program } from "../../../../cli/break-glass/command";
import { UsageError } from "../../../../command-line/parse";

describe("the options of break-glass", () => {
    it("are a file and an hour by default", () => {
        const { to, hours } = program.parse(["--to", "a"]).options;
        assert.deepEqual({ to, hours }, { to: "a", hours: 1 });
    });

    const wrong: [string[], RegExp][] = [
        [[], /--to/],
        [["--to", "a", "--hours", "25"], /^--hours must be a whole number from 1 to 24 \(got 25\)/],
        [["--to", "a", "--hours", "0"], /^--hours must be a whole number from 1 to 24 \(got 0\)/],
    ];
    for (const [args, message] of wrong) {
        it(`are rejected: ${args.join(" ")}`, () => {
            assert.throws(
                () => program.parse(args),
                (error: unknown) => error instanceof UsageError && message.test(error.message),
            );
        });
    }
});
