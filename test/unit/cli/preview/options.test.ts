import assert from "node:assert/strict";
import { parsePreviewOptions } from "../../../../cli/preview/options";
import { UsageError } from "../../../../command-line/parse";

describe("the options of preview", () => {
    it("preview every stack of this folder, for GitHub, when no more is said", () => {
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

    it("may be given several times where several are meant", () => {
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
        [["--name", "c", "--stack", "d"], "--name must be given without --stack, got c"],
        [["--events", "f", "--stack", "d"], "--events must be given without --stack, got f"],
        [["--name", "c", "--changed-since", "main"], "--changed-since must be given for stacks of a project, got main"],
        [["--changed-since=--output=x"], "--changed-since must be a revision of git, got --output=x"],
        [["--stack=--help"], "--stack must be the name of a stack, got --help"],
        [["--limit", "10"], "--limit must be 1000 or more, got 10"],
        [["--limit", "many"], "--limit must be 1000 or more, got many"],
        [["prod"], "Unexpected argument 'prod'"],
    ];
    for (const [args, message] of wrong) {
        it(`are refused: ${args.join(" ")}`, () => {
            assert.throws(
                () => parsePreviewOptions(args),
                (error: Error) => error instanceof UsageError && error.message.startsWith(message),
            );
        });
    }
});
