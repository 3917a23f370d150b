import assert from "node:assert/strict";
import { program } from "../../../../cli/recover/command";
import { UsageError } from "../../../../command-line/parse";

describe("the options of recover", () => {
    it("default to a source, the first controller and a quarter of an hour", () => {
        const { options } = program.parse(["--from", "etcd"]);
        const given = Object.entries(options).filter(([, value]) => value !== undefined);
        assert.deepEqual(Object.fromEntries(given), {
            discardData: false,
            from: "etcd",
            store: false,
            resetOthers: false,
            hold: false,
            release: false,
            plain: false,
            timeout: 900,
        });
    });

    const wrong: [string[], string][] = [
        [[], "--from must be api, etcd or snapshot (got nothing)"],
        [["--from", "disk"], "--from must be api, etcd or snapshot (got disk)"],
        [["--from", "etcd", "--snapshot", "x"], "--snapshot requires --from snapshot"],
        [["--from", "etcd", "--reset-others"], "--reset-others requires --from snapshot"],
        [["--from", "etcd", "--store"], "--store requires --from snapshot"],
        [["--from", "etcd", "--snapshot-keys", "x"], "--snapshot-keys requires --from snapshot"],
        [["--from", "snapshot", "--snapshot", ""], '--snapshot must be a file or the name of a snapshot (got "")'],
        [["--release", "--hold"], "--release and --hold are mutually exclusive"],
        [["--from", "etcd", "--timeout", "0"], "--timeout must be a positive number of seconds (got 0)"],
        [
            ["--from", "etcd", "--name", "A"],
            "--name must be a DNS label of at most 19 characters (a-z, 0-9 and -, starting with a letter) (got A)",
        ],
        [["--form", "etcd"], "unknown option --form (did you mean --from?); see tradewind recover --help"],
    ];
    for (const [args, message] of wrong) {
        it(`are rejected: ${args.join(" ") || "none"}`, async () => {
            await assert.rejects(program.run(args), new UsageError(message));
        });
    }
});
