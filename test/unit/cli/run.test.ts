import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { matches } from "../../../dev/npm-packages.cjs";

const root = resolve(__dirname, "../../..");

function run(...args: string[]) {
    return spawnSync(process.execPath, ["dev/run.cjs", ...args], { cwd: root, encoding: "utf8" });
}

describe("the command line", function () {
    this.timeout(30_000);

    it("prints help without Pulumi and without a cache", () => {
        const { status, stdout } = run("start", "--help");
        assert.equal(status, 0);
        assert.match(stdout, /Usage: npm start -- \[options\]/);
    });

    it("reports wrong options without a stack trace", () => {
        const { status, stderr } = run("start", "--controllers", "2");
        assert.equal(status, 2);
        assert.equal(stderr.trimEnd().split("\n").at(-1), "error: --controllers must be 1, 3 or 5 (got 2)");
        assert.doesNotMatch(stderr, /\n {4}at /);
    });

    it("names its commands", () => {
        const { status, stderr } = run("stop");
        assert.equal(status, 1);
        assert.match(
            stderr,
            /command must be one of start, tradewind, test, bench, conformance, reference, add-version, image-digests, artifacts, package, release-notes, numbers, recording, pulumi, site, soak \(got stop\)/,
        );
    });
});

describe("the check of the npm packages", () => {
    const desired = {
        "": {},
        "node_modules/a": { version: "1.0.0" },
        "node_modules/b-darwin": { version: "1.0.0", optional: true },
    };

    it("passes if they match the lock; packages for other platforms may be missing", () => {
        assert.equal(matches(desired, { "node_modules/a": { version: "1.0.0" } }), true);
    });

    it("detects a missing package or a different version", () => {
        assert.equal(matches(desired, {}), false);
        assert.equal(matches(desired, { "node_modules/a": { version: "1.0.1" } }), false);
        assert.equal(
            matches(desired, { "node_modules/a": { version: "1.0.0" }, "node_modules/b-darwin": { version: "0.9.0" } }),
            false,
        );
    });
});
