import assert from "node:assert/strict";
import { bundlePath, help, parseSupportOptions } from "../../../../cli/support-bundle/command";

describe("the options of tradewind support-bundle", () => {
    it("select a cluster and an output file", () => {
        const { name, output, isHelp } = parseSupportOptions(["--name", "blue", "--output", "b.tgz"]);
        assert.deepEqual({ name, output, isHelp }, { name: "blue", output: "b.tgz", isHelp: false });
        assert.throws(
            () => parseSupportOptions(["--nme", "x"]),
            /Unknown option '--nme'; see tradewind support-bundle --help/,
        );
        assert.throws(() => parseSupportOptions(["--name", "Blue"]), /--name must be .*, got Blue/);
        for (const [option] of help.matchAll(/--[\w-]+/g)) assert.match(option, /^--[a-z-]+$/);
    });

    it("name the file after cluster and time, in the current folder", () => {
        const now = new Date("2026-11-22T09:41:01.311Z");
        assert.equal(bundlePath("/here", "blue", now), "/here/blue-support-20261122T094101Z.tar.gz");
        assert.equal(bundlePath("/here", "blue", now, "b.tgz"), "/here/b.tgz");
        assert.equal(bundlePath("/here", "blue", now, "/there/b.tgz"), "/there/b.tgz");
    });
});
