import assert from "node:assert/strict";
import { chosenGroups, groups, program } from "../../../../dev/bench";

const known = ["bootstrap", "ignition", "preview"];

describe("the options of the benchmarks", () => {
    it("are all groups by default, otherwise each one once, in the given order", () => {
        assert.deepEqual(chosenGroups([], known), known);
        assert.deepEqual(chosenGroups(["preview", "ignition", "preview"], known), ["preview", "ignition"]);
        assert.throws(() => chosenGroups(["previews"], known), {
            message: "group must be bootstrap, ignition, preview (got previews)",
            exitCode: 2,
        });
    });

    it("name every group in the help", () => {
        const help = program.help.replace(/\s+/g, " ");
        assert.ok(help.includes(`${groups().join(", ")} (default: all)`));
    });

    it("can name a running cluster", () => {
        assert.deepEqual(program.parse(["--stack", "mine", "preview"]), {
            options: { stack: "mine" },
            words: ["preview"],
        });
    });

    for (const [args, message] of [
        [["--stack", "No Name"], /must be a DNS label .* \(got No Name\)/],
        [["--fast"], /--fast; see npm run bench -- --help/],
    ] as const) {
        it(`reject ${args.join(" ")}`, () => {
            assert.throws(() => program.parse(args), { message, exitCode: 2 });
        });
    }
});
