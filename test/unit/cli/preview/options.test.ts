import assert from "node:assert/strict";
import { parsePreviewOptions } from "../../../../cli/preview/options";
import { UsageError } from "../../../../command-line/parse";

describe("the options of preview", () => {
    it("preview every stack of the current folder for GitHub by default", () => {
        assert.deepEqual(parsePreviewOptions([]), {
            stacks: [],
            programs: [],
            events: [],
            isList: false,
            hasNodeConfigs: true,
            limit: 65_536,
            isHelp: false,
        });
    });

    it("can be repeated where several values make sense", () => {
        const { stacks, programs } = parsePreviewOptions([
            "-s",
            "a",
            "--stack",
            "b",
            "--program",
            "c",
            "--program",
            "d",
        ]);
        assert.deepEqual(
            [stacks, programs],
            [
                ["a", "b"],
                ["c", "d"],
            ],
        );
    });

    const wrong: [string[], string][] = [
        [["--name", "c", "--stack", "d"], "--name and --stack are mutually exclusive"],
        [["--events", "f", "--stack", "d"], "--events and --stack are mutually exclusive"],
        [["--name", "c", "--changed-since", "main"], "--changed-since cannot be combined with --name or --events"],
        [["--changed-since=--output=x"], "--changed-since must be a git revision, got --output=x"],
        [["--stack=--help"], "--stack must be a stack name, got --help"],
        [["--limit", "10"], "--limit must be 1000 or more, got 10"],
        [["--limit", "many"], "--limit must be 1000 or more, got many"],
        [["prod"], "Unexpected argument 'prod'"],
    ];
    for (const [args, message] of wrong) {
        it(`are rejected: ${args.join(" ")}`, () => {
            assert.throws(
                () => parsePreviewOptions(args),
                (error: Error) => error instanceof UsageError && error.message.startsWith(message),
            );
        });
    }
});
