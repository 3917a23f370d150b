import assert from "node:assert/strict";
import { parseStatusOptions } from "../../../../cli/status/command";

describe("the options of tradewind status", () => {
    it("are all parsed", () => {
        const args = "--kubeconfig f --context c --controllers 10.0.0.1,fd00::1 -w -o json".split(" ");
        assert.deepEqual(parseStatusOptions(args), {
            name: undefined,
            kubeconfig: "f",
            context: "c",
            controllers: ["10.0.0.1", "fd00::1"],
            output: "json",
            isWatch: true,
            isHelp: false,
        });
        const { controllers, output, isWatch } = parseStatusOptions([]);
        assert.deepEqual({ controllers, output, isWatch }, { controllers: [], output: "text", isWatch: false });
    });

    const refused: [string, string][] = [
        ["-o yaml", "--output must be text or json, got yaml"],
        ["--controllers here", "--controllers must be addresses, separated by commas, got here"],
        ["--colour red", "Unknown option '--colour'; see tradewind status --help"],
        ["local", "Unexpected argument 'local'; see tradewind status --help"],
    ];
    for (const [args, message] of refused) {
        it(`reject ${args}`, () => {
            assert.throws(() => parseStatusOptions(args.split(" ")), { message, exitCode: 2 });
        });
    }
});
