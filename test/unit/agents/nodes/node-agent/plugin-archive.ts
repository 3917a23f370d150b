import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A small plugin that answers like a real one, and contains its version. */
export const plugin = (version: string) =>
    `#!/bin/sh\n# ${version}\ncat >/dev/null\n` +
    `[ "$CNI_COMMAND" = VERSION ] && echo '{"cniVersion":"1.0.0","supportedVersions":["0.4.0","1.0.0"]}'\n`;

/** One that answers before it is installed, and not afterwards. */
export const brokenInPlace = `${plugin("broken")}case $0 in */bin/*) exit 1 ;; esac\n`;

export interface PluginArchive {
    readonly bytes: Buffer;
    readonly sha256: string;
}

/** An archive like those of the plugins' releases: with the directory itself, owners, and text files. */
export function pluginArchive(programs: Readonly<Record<string, string>>): PluginArchive {
    const folder = mkdtempSync(join(tmpdir(), "plugins-"));
    try {
        // A file that is not a program is not installed.
        writeFileSync(join(folder, "README.md"), "plugins\n".repeat(100), { mode: 0o644 });
        for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, name), text, { mode: 0o755 });
        chmodSync(folder, 0o755);
        const bytes = execFileSync("tar", ["-cz", "--owner=1001", "--group=127", "-C", folder, "."]);
        return { bytes, sha256: createHash("sha256").update(bytes).digest("hex") };
    } finally {
        rmSync(folder, { recursive: true });
    }
}
