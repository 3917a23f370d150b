import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readlinkSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { tar } from "../../../machines/tar";

describe("tar", () => {
    let folder: string;
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-tar-"));
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    const unpack = (archive: Buffer) => execFileSync("tar", ["-xpf", "-", "-C", folder], { input: archive });

    it("is unpacked by the system's tar, whatever the contents", () => {
        fc.assert(
            fc.property(fc.array(fc.uint8Array({ maxLength: 3000 }), { maxLength: 5 }), (all) => {
                unpack(tar(all.map((contents, i) => ({ path: `a/file-${i}`, contents: Buffer.from(contents) }))));
                for (const [i, contents] of all.entries()) {
                    assert.deepEqual(readFileSync(join(folder, `a/file-${i}`)), Buffer.from(contents));
                }
            }),
            { numRuns: 20 },
        );
    });

    it("keeps modes and symbolic links", () => {
        unpack(
            tar([
                { path: "key", contents: "secret", mode: 0o600 },
                { path: "unit", link: "/dev/null" },
            ]),
        );
        assert.equal(statSync(join(folder, "key")).mode & 0o777, 0o600);
        assert.equal(readlinkSync(join(folder, "unit")), "/dev/null");
    });

    it("has room for a long path of short parts, and for directories with their modes", () => {
        const path = `${"folder/".repeat(15)}file`;
        unpack(
            tar([
                { path: "private/", mode: 0o700 },
                { path, contents: "deep" },
            ]),
        );
        assert.equal(readFileSync(join(folder, path), "utf8"), "deep");
        assert.equal(statSync(join(folder, "private")).mode & 0o777, 0o700);
    });

    it("rejects a path that does not fit the format", () => {
        const path = "x".repeat(101);
        assert.throws(() => tar([{ path, contents: "" }]), /must be at most 100 bytes long \(got x+\)/);
    });
});
