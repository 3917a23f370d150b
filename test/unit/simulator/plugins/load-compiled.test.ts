import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const loader = resolve(__dirname, "../../../../simulator/plugins/load-compiled.cjs");

describe("the loader of stand-ins", () => {
    let folder: string;
    const run = (...args: string[]) =>
        execFileSync(process.execPath, [join(folder, "plugin.cjs"), ...args], { encoding: "utf8" }).trim();
    const compiled = () => readdirSync(folder).filter((name) => name.startsWith("plugin.js."));

    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-loader-"));
        copyFileSync(loader, join(folder, "plugin.cjs"));
        const program =
            'const { argv, version } = process; console.log(argv.at(-1), version, typeof require("node:fs"));';
        writeFileSync(join(folder, "plugin.js"), program);
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    it("caches what was compiled, and runs from it", () => {
        const said = `a ${process.version} object`;
        assert.equal(run("a"), said);
        assert.deepEqual(compiled(), [`plugin.js.${process.version}-${process.arch}`]);
        const before = readFileSync(join(folder, compiled()[0]!));

        assert.equal(run("a"), said);
        assert.deepEqual(readFileSync(join(folder, compiled()[0]!)), before);
    });

    it("recompiles a truncated or modified file", () => {
        run("a");
        const path = join(folder, compiled()[0]!);
        const whole = readFileSync(path);
        const altered = Buffer.from(whole);
        altered[whole.length - 8]! ^= 1;
        for (const broken of [Buffer.alloc(0), whole.subarray(0, 100), altered]) {
            writeFileSync(path, broken);

            assert.match(run("b"), /^b v/);
            assert.notDeepEqual(readFileSync(path), broken);
        }
    });

    it("works if nothing can be cached", () => {
        rmSync(join(folder, "plugin.js"));
        // A folder blocks the rename, even for root.
        writeFileSync(
            join(folder, "plugin.js"),
            'require("node:fs").mkdirSync(`${__filename}.${process.version}-${process.arch}/x`, { recursive: true }); console.log("ran");',
        );

        assert.equal(run(), "ran");
    });
});
