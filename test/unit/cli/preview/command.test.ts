import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const program = resolve(__dirname, "../../../../dev/tradewind.cjs");
const recorded = resolve(__dirname, "../preview/recorded");

describe("tradewind preview", function () {
    this.timeout(30_000);
    let folder: string;
    const preview = (...args: string[]) =>
        spawnSync(program, ["preview", ...args], {
            encoding: "utf8",
            cwd: folder,
            env: { ...process.env, PATH: "/usr/bin:/bin" },
        });

    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-preview-"));
        writeFileSync(join(folder, "Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
        writeFileSync(join(folder, "Pulumi.prod.yaml"), "config: {}\n");
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    it("creates a comment from a file of events, cut to the limit, and writes the full text to another file", () => {
        const file = join(recorded, "aws-upgrade.jsonl");
        const { status, stdout } = preview(
            "--events",
            file,
            "--limit",
            "4000",
            "--whole",
            "whole.md",
            "--whole-at",
            "there",
        );
        assert.equal(status, 0);
        assert.ok(stdout.length <= 4000);
        assert.match(stdout, /more lines: see the rest there\./);
        const whole = readFileSync(join(folder, "whole.md"), "utf8");
        assert.ok(whole.length > 4000);
        assert.doesNotMatch(whole, /more lines: the rest/);
    });

    it("shows a rehearsal with the stack of its cluster, and says which one it does not show", () => {
        const outcome = { unserved: [], unreadable: [], missing: ["Secret default/gone"], changed: [], compared: 7 };
        const versions = { from: "1.36.3", to: "1.37.1" };
        const results = { upgrade: outcome, wayBack: outcome, startSeconds: {}, leftOut: {}, seconds: 5 };
        for (const cluster of ["test", "other"]) {
            const report = { cluster, ...versions, snapshot: { name: "s1", bytes: 9 }, ...results };
            writeFileSync(join(folder, `${cluster}.json`), JSON.stringify(report));
        }
        const rehearsals = ["--rehearsal", "test.json", "--rehearsal", "other.json"];
        const { status, stdout, stderr } = preview("--events", join(recorded, "aws-upgrade.jsonl"), ...rehearsals);
        assert.equal(status, 0);
        assert.match(stdout, /\*\*Rehearsal of 1\.36\.3 to 1\.37\.1\*\* ✗ [\s\S]*Secret default\/gone/);
        assert.equal(stdout.match(/Secret default\/gone/g)?.length, 2);
        assert.match(stderr, /the rehearsal of other is not shown: no previewed stack has that cluster/);
    });

    it("refuses a rehearsal that is no report", () => {
        const said = (text?: string) => {
            const file = text === undefined ? "none.json" : "bad.json";
            if (text !== undefined) writeFileSync(join(folder, file), text);
            const { status, stderr } = preview("--events", join(recorded, "aws-upgrade.jsonl"), "--rehearsal", file);
            assert.equal(status, 2);
            return stderr.trim();
        };
        const must = "error: --rehearsal must be a report of tradewind rehearse in JSON: bad.json";
        assert.match(said(), /--rehearsal must be a readable file \(got none\.json\)/);
        assert.equal(said("# Markdown"), `${must} must be a JSON object (got # Markdown)`);
        assert.equal(said("null"), `${must} must be a JSON object (got null)`);
        assert.equal(said("{}"), `${must}: cluster must be a name (got undefined)`);
        const part = { cluster: "test", from: "1", to: "2", snapshot: { name: "s", bytes: 1 }, startSeconds: {} };
        const text = JSON.stringify({ ...part, leftOut: {}, upgrade: { unserved: 1 }, wayBack: {} });
        assert.equal(said(text), `${must}: upgrade.unserved must be a list (got 1)`);
    });

    it("shows the comment although the full text cannot be written", () => {
        const file = join(recorded, "aws-upgrade.jsonl");
        const { status, stdout, stderr } = preview("--events", file, "--whole", "none/whole.md");
        assert.equal(status, 1);
        assert.match(stdout, /^<!-- tradewind preview: test -->/);
        assert.match(stderr, /error: cannot write none\/whole\.md: ENOENT/);
    });

    it("fails for the events of a failed preview", () => {
        writeFileSync(
            join(folder, "events"),
            '{"diagnosticEvent":{"severity":"error","message":"domain must be a name"}}\n',
        );
        const { status, stdout } = preview("--events", "events");
        assert.equal(status, 1);
        assert.match(stdout, /the preview failed[\s\S]*Error[\s\S]*domain must be a name/);
    });

    it("lists stacks without running Pulumi", () => {
        assert.deepEqual([preview("--list").status, preview("--list").stdout], [0, "prod\n"]);
    });

    it("needs pulumi on PATH", () => {
        const { status, stdout, stderr } = preview("--stack", "prod");
        assert.notEqual(status, 0);
        assert.equal(stdout, "");
        assert.match(stderr, /pulumi is not on PATH/);
    });
});
