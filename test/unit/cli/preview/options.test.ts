import assert from "node:assert/strict";
import { program } from "../../../../cli/preview/command";
import { UsageError } from "../../../../command-line/parse";

describe("the options of preview", () => {
    it("preview every stack of the current folder for GitHub by default", () => {
        const { options } = program.parse([]);
        const given = Object.entries(options).filter(([, value]) => value !== undefined);
        assert.deepEqual(Object.fromEntries(given), {
            stack: [],
            program: [],
            rehearsal: [],
            events: [],
            drift: false,
            list: false,
            nodeConfigs: true,
            limit: 65_536,
        });
        assert.equal(program.parse(["--no-node-configs"]).options.nodeConfigs, false);
    });

    it("can be repeated where several values make sense", () => {
        const { stack, program: programs } = program.parse("-s a --stack b --program c --program d".split(" ")).options;
        assert.deepEqual([...stack, ...programs], ["a", "b", "c", "d"]);
    });

    const wrong: [string[], string][] = [
        [["--name", "c", "--stack", "d"], "--name and --stack are mutually exclusive"],
        [["--events", "f", "--stack", "d"], "--events and --stack are mutually exclusive"],
        [["--name", "c", "--changed-since", "main"], "--changed-since and --name are mutually exclusive"],
        [["--changed-since=--output=x"], "--changed-since must be a git revision (got --output=x)"],
        [["--stack=--help"], "--stack must be a stack name (got --help)"],
        [["--drift", "--list"], "--drift and --list are mutually exclusive"],
        [["--limit", "10"], "--limit must be 1000 or more (got 10)"],
        [["--limit", "many"], "--limit must be 1000 or more (got many)"],
        [["prod"], "unexpected argument prod"],
    ];
    for (const [args, message] of wrong) {
        it(`are rejected: ${args.join(" ")}`, () => {
            assert.throws(
                () => program.parse(args),
                (error: Error) => error instanceof UsageError && error.message.startsWith(message),
            );
        });
    }
});
