import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";

const root = resolve(__dirname, "../../..");

function tradewind(...args: string[]) {
    return spawnSync(resolve(root, "dev/tradewind.cjs"), args, {
        encoding: "utf8",
        env: { ...process.env, TRADEWIND_STATE: "/none" },
    });
}

describe("tradewind", function () {
    this.timeout(30_000);

    it("lists its commands on request, and without a command", () => {
        for (const [args, code] of [[["--help"], 0] as const, [[], 2] as const]) {
            const { status, stdout } = tradewind(...args);
            assert.equal(status, code);
            for (const line of [
                /drill +test disaster recovery/,
                /graph +draw a cluster/,
                /preview +preview the changes/,
                /recover +recover a lost/,
                /snapshot +take an etcd snapshot/,
                /status +show what runs where/,
                /updates +list or write newer/,
            ]) {
                assert.match(stdout, new RegExp(`\\n {2}${line.source}`));
            }
        }
    });

    it("has help for each command", function () {
        this.timeout(120_000);
        for (const command of [
            "bundle",
            "drill",
            "graph",
            "manifests",
            "preview",
            "recover",
            "rehearse",
            "snapshot",
            "status",
            "support-bundle",
            "updates",
        ]) {
            const { status, stdout } = tradewind(command, "--help");
            assert.equal(status, 0);
            assert.match(stdout, new RegExp(`Usage: tradewind ${command} `));
        }
    });

    it("names valid values and exits with 2 for an invalid command line", () => {
        const wrong: [string[], string][] = [
            [
                ["stat"],
                "error: unknown command stat (did you mean status?); commands: accept, break-glass, bundle, demote, drill, graph, join-token, manifests, phase, preview, promote, recover, rehearse, reset, snapshot, status, support-bundle, updates, upgrade-guard, usage, verify-cloud; see tradewind --help",
            ],
            [["status", "--name", "x"], "error: --name must be a local cluster (there are none) (got x)"],
            [["rehearse"], "error: --kubernetes is required: the version to upgrade to"],
        ];
        for (const [args, message] of wrong) {
            const { status, stderr } = tradewind(...args);
            assert.equal(stderr.trimEnd().split("\n").at(-1), message);
            assert.equal(status, 2);
        }
    });
});
