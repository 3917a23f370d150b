import assert from "node:assert/strict";
import { parseRecoverOptions, RECOVER_HELP } from "../../../../cli/recover/options";
import { UsageError } from "../../../../command-line/parse";

describe("the options of recover", () => {
    it("default to a source, the first controller and a quarter of an hour", () => {
        assert.deepEqual(parseRecoverOptions(["--from", "etcd"]), {
            name: undefined,
            from: "etcd",
            snapshot: undefined,
            controller: undefined,
            isHeld: false,
            isRelease: false,
            isPlain: false,
            isResettingOthers: false,
            timeout: 900,
            isHelp: false,
        });
    });

    it("accept everything in the help", () => {
        const named = [...RECOVER_HELP.matchAll(/^ {2}--([a-z-]+)/gm)].map(([, option]) => option);
        const flags = ["hold", "plain", "reset-others"];
        const ssh = { "ssh-key": __filename, "ssh-address": "a=b" };
        const values: Record<string, string> = { from: "snapshot", timeout: "5", ...ssh };
        const args = named
            .filter((option) => !["release", "help"].includes(option!))
            .flatMap((option) => [`--${option}`, ...(flags.includes(option!) ? [] : [values[option!] ?? "a"])]);
        assert.equal(parseRecoverOptions(args).timeout, 5);
        assert.equal(parseRecoverOptions(["--release"]).isRelease, true);
        assert.equal(parseRecoverOptions(["--help"]).isHelp, true);
    });

    const wrong: [string[], string][] = [
        [[], "--from must be api, etcd or snapshot, got nothing"],
        [["--from", "disk"], "--from must be api, etcd or snapshot, got disk"],
        [["--from", "etcd", "--snapshot", "x"], "--snapshot requires --from snapshot"],
        [["--from", "etcd", "--reset-others"], "--reset-others requires --from snapshot"],
        [["--from", "snapshot", "--snapshot", ""], '--snapshot must be a file or the name of a snapshot, got ""'],
        [["--release", "--hold"], "--release and --hold are mutually exclusive"],
        [["--from", "etcd", "--timeout", "0"], "--timeout must be a positive number of seconds, got 0"],
        [
            ["--from", "etcd", "--name", "A"],
            "--name must be a DNS label of at most 19 characters (a-z, 0-9 and -, starting with a letter), got A",
        ],
        [["--form", "etcd"], "Unknown option '--form'; see tradewind recover --help"],
    ];
    for (const [args, message] of wrong) {
        it(`are rejected: ${args.join(" ") || "none"}`, () => {
            assert.throws(() => parseRecoverOptions(args), new UsageError(message));
        });
    }
});
