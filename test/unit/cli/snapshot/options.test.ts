import assert from "node:assert/strict";
import { parseSnapshotOptions } from "../../../../cli/snapshot/command";
import { UsageError } from "../../../../command-line/parse";

describe("the options of snapshot", () => {
    it("take a snapshot on any controller by default", () => {
        const { to, node, isList, isHelp } = parseSnapshotOptions([]);
        assert.deepEqual(
            { to, node, isList, isHelp },
            { to: undefined, node: undefined, isList: false, isHelp: false },
        );
    });

    it("contain a file and a controller", () => {
        const { to, node } = parseSnapshotOptions(["--to", "a.db", "--node", "c-controller-1"]);
        assert.deepEqual({ to, node }, { to: "a.db", node: "c-controller-1" });
    });

    const wrong: [string[], string][] = [
        [["--to", ""], '--to must be a file, got ""'],
        [["--list", "--to", "x"], "--list and --to are mutually exclusive"],
        [["--list", "--node", "x"], "--list and --node are mutually exclusive"],
        [["--lits"], "Unknown option '--lits'; see tradewind snapshot --help"],
    ];
    for (const [args, message] of wrong) {
        it(`are rejected: ${args.join(" ")}`, () => {
            assert.throws(() => parseSnapshotOptions(args), new UsageError(message));
        });
    }
});
