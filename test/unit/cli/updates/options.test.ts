import assert from "node:assert/strict";
import { program } from "../../../../cli/updates/command";
import { UsageError } from "../../../../command-line/parse";

describe("the options of updates", () => {
    it("write nothing, and use each file's channel by default", () => {
        assert.deepEqual(program.parse([]), {
            words: [],
            options: {
                name: undefined,
                channel: undefined,
                apply: false,
                write: false,
                output: "text",
            },
        });
    });

    const wrong: [string[], string][] = [
        [["--channel", "latest"], "--channel must be none, patch or minor (got latest)"],
        [["-o", "yaml"], "--output must be text or json (got yaml)"],
        [["--name", "c", "Pulumi.c.yaml"], "--name and FILE are mutually exclusive"],
        [["--apply", "--write"], "--apply and --write are mutually exclusive"],
        [["--wirte"], "unknown option --wirte (did you mean --write?); see tradewind updates --help"],
    ];
    for (const [args, message] of wrong) {
        it(`are rejected: ${args.join(" ")}`, async () => {
            await assert.rejects(
                program.run(args),
                (error: Error) => error instanceof UsageError && error.message.startsWith(message),
            );
        });
    }
});
