import assert from "node:assert/strict";
import { program } from "../../../../cli/drill/command";
import { UsageError } from "../../../../command-line/parse";

describe("the options of drill", () => {
    it("use a temporary cluster by default", () => {
        assert.deepEqual(program.parse([]).options, { name: undefined, objects: 50, yes: false });
        const { options } = program.parse(["--name", "a", "-y", "--objects", "7"]);
        assert.deepEqual(options, { name: "a", objects: 7, yes: true });
    });

    const wrong: [string[], string][] = [
        [["--objects", "0"], "--objects must be a whole number from 1 to 10000 (got 0)"],
        [["--objects", "many"], "--objects must be a whole number from 1 to 10000 (got many)"],
        [["--sure"], "unknown option --sure; see tradewind drill --help"],
    ];
    for (const [args, message] of wrong) {
        it(`are rejected: ${args.join(" ")}`, () => {
            assert.throws(() => program.parse(args), new UsageError(message));
        });
    }
});
