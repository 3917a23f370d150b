import assert from "node:assert/strict";
import { help, parseOptions } from "../../../../dev/bench";

const known = ["bootstrap", "ignition", "preview"];

describe("the options of the benchmarks", () => {
    it("are all groups by default, otherwise each one once, in the given order", () => {
        assert.deepEqual(parseOptions([], known), { groups: known, isHelp: false });
        assert.deepEqual(parseOptions(["preview", "ignition", "preview"], known), {
            groups: ["preview", "ignition"],
            isHelp: false,
        });
    });

    it("can request help", () => {
        assert.equal(parseOptions(["--help"], known).isHelp, true);
        assert.match(help(known), /bootstrap, ignition, preview \(default: all\)/);
    });

    it("can name a running cluster", () => {
        assert.deepEqual(parseOptions(["--stack", "mine", "preview"], known), {
            groups: ["preview"],
            stack: "mine",
            isHelp: false,
        });
    });

    for (const [args, message] of [
        [["previews"], "group must be bootstrap, ignition, preview, got previews"],
        [["--stack", "No Name"], /must be a DNS label .*, got No Name/],
        [["--fast"], /'--fast'; see npm run bench -- --help/],
    ] as const) {
        it(`reject ${args.join(" ")}`, () => {
            assert.throws(() => parseOptions(args, known), { message, exitCode: 2 });
        });
    }
});
