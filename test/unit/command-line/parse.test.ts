import assert from "node:assert/strict";
import { parseCommandLine, UsageError } from "../../../command-line/parse";

const config = { options: { name: { type: "string" }, yes: { type: "boolean" } } } as const;
const help = "tradewind drill --help";

describe("a command line", () => {
    it("is parsed like Node does", () => {
        const { values } = parseCommandLine(help, { ...config, args: ["--name", "a", "--yes"] });
        assert.deepEqual({ ...values }, { name: "a", yes: true });
    });

    for (const [args, message] of [
        [["--nmae", "a"], "Unknown option '--nmae'; see tradewind drill --help"],
        [["--name"], "Option '--name <value>' argument missing; see tradewind drill --help"],
        [["extra"], "Unexpected argument 'extra'; see tradewind drill --help"],
    ] as const) {
        it(`is rejected in one line that names the help: ${args.join(" ")}`, () => {
            const parse = () => parseCommandLine(help, { ...config, args: [...args] });
            assert.throws(parse, (error) => error instanceof UsageError && error.message === message);
        });
    }
});
