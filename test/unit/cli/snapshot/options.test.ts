import assert from "node:assert/strict";
import { program } from "../../../../cli/snapshot/command";
import { UsageError } from "../../../../command-line/parse";

describe("the options of snapshot", () => {
    it("take a snapshot on any controller by default", () => {
        const { to, node, list } = program.parse([]).options;
        assert.deepEqual({ to, node, list }, { to: undefined, node: undefined, list: false });
    });

    it("contain a file and a controller", () => {
        const { to, node } = program.parse(["--to", "a.db", "--node", "c-controller-1"]).options;
        assert.deepEqual({ to, node }, { to: "a.db", node: "c-controller-1" });
    });

    const wrong: [string[], string][] = [
        [["--to", ""], '--to must be a file (got "")'],
        [["--list", "--to", "x"], "--list and --to are mutually exclusive"],
        [["--list", "--node", "x"], "--list and --node are mutually exclusive"],
        [["--decrypt", "a.db.enc"], "--decrypt requires --to"],
        [["--to", "a.db", "--snapshot-keys", "x"], "--snapshot-keys requires --decrypt"],
        [["--keys-to", "x", "--to", "y"], "--keys-to and --to are mutually exclusive"],
        [["--lits"], "unknown option --lits (did you mean --list?); see tradewind snapshot --help"],
    ];
    for (const [args, message] of wrong) {
        it(`are rejected: ${args.join(" ")}`, () => {
            assert.throws(() => program.parse(args), new UsageError(message));
        });
    }
});
