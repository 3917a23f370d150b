import assert from "node:assert/strict";
import { parseUpdatesOptions } from "../../../../cli/updates/options";
import { UsageError } from "../../../../cli/usage-error";

describe("the options of updates", () => {
    it("write nothing, and go by each file, when no more is said", () => {
        assert.deepEqual(parseUpdatesOptions([]), {
            files: [],
            name: undefined,
            channel: undefined,
            isWrite: false,
            output: "text",
            isHelp: false,
        });
    });

    const wrong: [string[], string][] = [
        [["--channel", "latest"], "--channel must be none, patch, minor, got latest"],
        [["-o", "yaml"], "--output must be text or json, got yaml"],
        [["--name", "c", "Pulumi.c.yaml"], "--name must be given without a FILE, got Pulumi.c.yaml"],
        [["--wirte"], "Unknown option '--wirte'; see tradewind updates --help"],
    ];
    for (const [args, message] of wrong) {
        it(`are refused: ${args.join(" ")}`, () => {
            assert.throws(
                () => parseUpdatesOptions(args),
                (error: Error) => error instanceof UsageError && error.message.startsWith(message),
            );
        });
    }
});
