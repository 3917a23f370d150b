import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256File } from "../../../artifacts/checksum";
import { archiveLayer, type Layer } from "../../../artifacts/layer";

describe("a layer", () => {
    let folder: string;
    let count = 0;
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-layer-"));
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    async function archive(layer: Layer): Promise<string> {
        count += 1;
        const staging = join(folder, `staging-${count}`);
        const target = join(folder, `layer-${count}.tar`);
        mkdirSync(staging, { mode: 0o700 });
        const debianRoot = async () => join(folder, "debian");
        await archiveLayer(layer, staging, target, { cachePath: (place) => join(folder, place), debianRoot });
        return target;
    }

    /** Mode and path of each entry, with a link's target. */
    const list = (tar: string) =>
        execFileSync("tar", ["-tvf", tar], { encoding: "utf8" })
            .trimEnd()
            .split("\n")
            .map((line) => line.replace(/^(\S+) .*? (\.\/)/, "$1 $2"));

    it("contains texts, links, programs and open folders, readable by all", async () => {
        writeFileSync(join(folder, "tool"), "program", { mode: 0o600 });
        const tar = await archive({
            texts: { "/etc/passwd": "root\n" },
            links: { "/bin": "usr/bin" },
            binaries: { "/usr/bin/tool": "tool" },
            openFolders: ["/tmp"],
        });
        assert.deepEqual(list(tar), [
            "drwxr-xr-x ./",
            "lrwxrwxrwx ./bin -> usr/bin",
            "drwxr-xr-x ./etc/",
            "-rw-r--r-- ./etc/passwd",
            "drwxrwxrwt ./tmp/",
            "drwxr-xr-x ./usr/",
            "drwxr-xr-x ./usr/bin/",
            "-rwxr-xr-x ./usr/bin/tool",
        ]);
    });

    it("is the same, byte for byte, each time", async () => {
        const layer: Layer = { texts: { "/b": "2", "/a/c": "1" }, links: { "/l": "a" } };
        assert.equal(await sha256File(await archive(layer)), await sha256File(await archive(layer)));
    });

    it("contains Debian's files with all their links' targets, under its merged /usr", async () => {
        const root = join(folder, "debian");
        mkdirSync(join(root, "usr", "sbin"), { recursive: true });
        mkdirSync(join(root, "etc", "alternatives"), { recursive: true });
        symlinkSync("usr/sbin", join(root, "sbin"));
        symlinkSync("/etc/alternatives/tool", join(root, "usr", "sbin", "tool"));
        symlinkSync("/sbin/tool-nft", join(root, "etc", "alternatives", "tool"));
        writeFileSync(join(root, "usr", "sbin", "tool-nft"), "program");
        const entries = list(await archive({ paths: ["/sbin/tool"] })).filter((line) => !line.startsWith("d"));
        assert.deepEqual(entries, [
            "lrwxrwxrwx ./etc/alternatives/tool -> /sbin/tool-nft",
            "lrwxrwxrwx ./usr/sbin/tool -> /etc/alternatives/tool",
            "-rw-r--r-- ./usr/sbin/tool-nft",
        ]);
    });
});
