import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
    mkdirSync,
    mkdtempSync,
    readdirSync,
    readFileSync,
    rmSync,
    statSync,
    symlinkSync,
    writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unpackPrograms } from "../../../../../agents/nodes/node-agent/unpack-programs";

describe("the programs of an archive", () => {
    let folder: string;
    const archive = () => join(folder, "archive.tgz");
    const target = () => join(folder, "target");
    const programs: Record<string, Buffer> = {
        empty: Buffer.alloc(0),
        "one-block": randomBytes(512),
        "a.b": randomBytes(513),
        large: randomBytes(3_000_000),
    };

    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-programs-"));
        for (const name of ["target", "source", "source/sub"]) mkdirSync(join(folder, name));
        for (const [name, contents] of Object.entries(programs)) {
            writeFileSync(join(folder, "source", name), contents, { mode: 0o755 });
        }
        writeFileSync(join(folder, "source/LICENSE"), "text\n", { mode: 0o644 });
        writeFileSync(join(folder, "source/sub/deep"), "deep", { mode: 0o755 });
        symlinkSync("/bin/sh", join(folder, "source/link"));
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    for (const format of ["gnu", "ustar", "posix"]) {
        it(`are extracted unchanged, and nothing else is, from tar's format ${format}`, async () => {
            execFileSync("tar", ["-czf", archive(), `--format=${format}`, "-C", join(folder, "source"), "."]);
            const names = await unpackPrograms(archive(), target());
            assert.deepEqual(names.sort(), Object.keys(programs).sort());
            for (const [name, contents] of Object.entries(programs)) {
                assert.ok(readFileSync(join(target(), name)).equals(contents), name);
                assert.equal(statSync(join(target(), name)).mode & 0o777, 0o755);
            }
            assert.deepEqual(readdirSync(target()).sort(), names);
        });
    }

    it("may be in a folder, and then nothing else is extracted", async () => {
        for (const name of ["./", ""]) {
            rmSync(target(), { recursive: true });
            mkdirSync(target());
            const what = name === "" ? ["sub", "large"] : ["."];
            execFileSync("tar", ["-czf", archive(), "-C", join(folder, "source"), ...what]);
            assert.deepEqual(await unpackPrograms(archive(), target(), "sub/"), ["deep"]);
            assert.deepEqual(readdirSync(target()), ["deep"]);
        }
    });

    it("are not extracted from something else, or from a truncated archive", async () => {
        execFileSync("tar", ["-czf", archive(), "-C", join(folder, "source"), "large"]);
        writeFileSync(archive(), readFileSync(archive()).subarray(0, 1_000_000));
        await assert.rejects(unpackPrograms(archive(), target()), /unexpected end of file|is truncated/);
        writeFileSync(archive(), "no archive");
        await assert.rejects(unpackPrograms(archive(), target()), /incorrect header check/);
        await assert.rejects(unpackPrograms(join(folder, "nothing"), target()), /ENOENT/);
    });
});
