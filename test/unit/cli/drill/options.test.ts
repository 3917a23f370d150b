import assert from "node:assert/strict";
import { parseDrillOptions } from "../../../../cli/drill/command";
import { UsageError } from "../../../../command-line/parse";

describe("the options of drill", () => {
    it("use a temporary cluster by default", () => {
        assert.deepEqual(parseDrillOptions([]), { name: undefined, objects: 50, isYes: false, isHelp: false });
        assert.deepEqual(parseDrillOptions(["--name", "a", "-y", "--objects", "7"]), {
            name: "a",
            objects: 7,
            isYes: true,
            isHelp: false,
        });
    });

    const wrong: [string[], string][] = [
        [["--objects", "0"], "--objects must be a whole number from 1 to 10000, got 0"],
        [["--objects", "many"], "--objects must be a whole number from 1 to 10000, got many"],
        [["--sure"], "Unknown option '--sure'; see tradewind drill --help"],
    ];
    for (const [args, message] of wrong) {
        it(`are rejected: ${args.join(" ")}`, () => {
            assert.throws(() => parseDrillOptions(args), new UsageError(message));
        });
    }
});
