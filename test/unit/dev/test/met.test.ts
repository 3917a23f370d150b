import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { metIn, metInFolder, recordMet, unrecordedIn, withMet } from "../../../../dev/test/met";

const empty = "a\n<!-- what each test met: kept by npm test -->\n\n<!-- end of what each test met -->\nz\n";

describe("the record of what tests met in simulated clouds", () => {
    const folder = mkdtempSync(join(tmpdir(), "tradewind-met-"));
    const path = join(folder, "page.md");
    after(() => rmSync(folder, { recursive: true }));

    it("is read from a file per test", () => {
        const met = mkdtempSync(join(folder, "met-"));
        writeFileSync(join(met, "engine__aws"), "late read\nquota\nlate read\n");
        writeFileSync(join(met, "cluster__clouds__aws"), "");
        const read = metInFolder(met);
        assert.deepEqual(read.get("engine/aws"), ["late read", "quota", "late read"]);
        assert.deepEqual(read.get("cluster/clouds/aws"), []);
    });

    it("keeps rows sorted, each behaviour once, and adds to them or replaces them", () => {
        writeFileSync(path, withMet(empty, new Map([["b", ["quota"]]]), ["c"]));
        recordMet(
            path,
            new Map([
                ["b", ["late read", "late read"]],
                ["a", []],
            ]),
        );
        const text = readFileSync(path, "utf8");
        assert.match(
            text,
            /\| `a` {2}\| none +\|\n\| `b` {2}\| late read, quota +\|\n\| `c` {2}\| not recorded yet +\|\n/,
        );
        assert.deepEqual(
            [...metIn(text)],
            [
                ["a", []],
                ["b", ["late read", "quota"]],
                ["c", []],
            ],
        );
        assert.deepEqual(unrecordedIn(text), ["c"]);
        recordMet(path, new Map([["b", ["quota"]]]), true);
        assert.deepEqual(metIn(readFileSync(path, "utf8")).get("b"), ["quota"]);
    });
});
