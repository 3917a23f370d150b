import assert from "node:assert/strict";
import { bundlePath, program } from "../../../../cli/support-bundle/command";

describe("the options of tradewind support-bundle", () => {
    it("select a cluster and an output file", () => {
        const { name, output } = program.parse(["--name", "blue", "--output", "b.tgz"]).options;
        assert.deepEqual({ name, output }, { name: "blue", output: "b.tgz" });
        assert.throws(
            () => program.parse(["--nme", "x"]),
            /unknown option --nme .*; see tradewind support-bundle --help/,
        );
    });

    it("name the file after cluster and time, in the current folder", () => {
        const now = new Date("2026-11-22T09:41:01.311Z");
        assert.equal(bundlePath("/here", "blue", now), "/here/blue-support-20261122T094101Z.tar.gz");
        assert.equal(bundlePath("/here", "blue", now, "b.tgz"), "/here/b.tgz");
        assert.equal(bundlePath("/here", "blue", now, "/there/b.tgz"), "/there/b.tgz");
    });
});
