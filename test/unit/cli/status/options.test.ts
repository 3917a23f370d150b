import assert from "node:assert/strict";
import { program } from "../../../../cli/status/command";

describe("the options of tradewind status", () => {
    it("are all parsed", () => {
        const args = "--kubeconfig f --context c --controllers 10.0.0.1,fd00::1 -w -o json".split(" ");
        const { kubeconfig, context, ...given } = program.parse(args).options;
        assert.deepEqual([kubeconfig, context], ["f", "c"]);
        assert.deepEqual([given.controllers, given.output, given.watch], [["10.0.0.1", "fd00::1"], "json", true]);
        const { controllers, output, watch } = program.parse([]).options;
        assert.deepEqual({ controllers, output, watch }, { controllers: undefined, output: "text", watch: false });
    });

    const refused: [string, string][] = [
        ["-o yaml", "--output must be text or json (got yaml)"],
        ["--controllers here", "--controllers must be addresses, separated by commas (got here)"],
        ["--colour red", "unknown option --colour; see tradewind status --help"],
        ["local", "unexpected argument local; see tradewind status --help"],
    ];
    for (const [args, message] of refused) {
        it(`reject ${args}`, () => {
            assert.throws(() => program.parse(args.split(" ")), { message, exitCode: 2 });
        });
    }
});
