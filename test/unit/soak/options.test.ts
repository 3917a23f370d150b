import assert from "node:assert/strict";
import { program } from "../../soak";

describe("the options of npm run soak", () => {
    it("have defaults, and a random seed", () => {
        const { seed, faults, ...rest } = program.parse([]).options;
        assert(Number.isInteger(seed));
        assert(faults.length > 20);
        assert.deepEqual(rest, {
            ...{ minutes: 30, controllers: 3, workers: 1, name: "soak", from: 0, sequences: 1_000_000 },
            ...{ recover: undefined, replacements: false, each: false, keep: false },
        });
    });

    it("accept what a replay needs", () => {
        const args = "--seed 5 --from 17 --sequences 1 --faults kubelet-killed,api-down --each --keep".split(" ");
        const { seed, from, sequences, faults, each, keep } = program.parse(args).options;
        assert.deepEqual([seed, from, sequences, each, keep], [5, 17, 1, true, true]);
        assert.deepEqual(
            faults.map(({ name }) => name),
            ["kubelet-killed", "api-down"],
        );
    });

    for (const [args, message] of [
        [["--minutes", "0"], "--minutes must be a whole number from 1 to 1440 (got 0)"],
        [["--seed", "x"], "--seed must be a whole number from 0 to 4294967295 (got x)"],
        [["--controllers", "2"], "--controllers must be 1, 3 or 5 (got 2)"],
        [["--name", "A"], /^--name must be a DNS label/],
        [["--faults", "rain"], /^--faults must be all, or some of managers-deleted,.* \(got rain\)$/],
        [["--recover", "rain"], /^--recover must be all, or some of managers,.* \(got rain\)$/],
        [["--what"], /^unknown option --what; see npm run soak -- --help$/],
    ] as const) {
        it(`reject ${args.join(" ")}`, () => {
            assert.throws(() => program.parse(args), { message, exitCode: 2 });
        });
    }

    it("are in the help with every fault", () => {
        assert.match(
            program.help,
            /^ {2}kubelet-killed +the kubelet gets SIGKILL while it writes its server's certificate$/m,
        );
    });
});
