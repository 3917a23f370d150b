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
                write: false,
                kubeletSha256: undefined,
                kubeletSha256Arm64: undefined,
                fetchChecksums: false,
                output: "text",
            },
        });
    });

    const wrong: [string[], string][] = [
        [["--channel", "latest"], "--channel must be none, patch or minor, got latest"],
        [["--write", "--kubelet-sha256", "A"], "--kubelet-sha256 must be a SHA-256 of 64 hexadecimal digits, got A"],
        [["--kubelet-sha256-arm64", "a".repeat(64)], "--kubelet-sha256-arm64 requires --write"],
        [["--fetch-checksums"], "--fetch-checksums requires --write"],
        [["-o", "yaml"], "--output must be text or json, got yaml"],
        [["--name", "c", "Pulumi.c.yaml"], "--name and FILE are mutually exclusive"],
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
