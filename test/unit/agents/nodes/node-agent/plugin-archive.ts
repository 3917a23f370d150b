import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A plugin of a few lines that answers as one does, and says which it is. */
export const plugin = (version: string) =>
    `#!/bin/sh\n# ${version}\ncat >/dev/null\n` +
    `[ "$CNI_COMMAND" = VERSION ] && echo '{"cniVersion":"1.0.0","supportedVersions":["0.4.0","1.0.0"]}'\n`;

/** One that answers before it is put in its place, and not there. */
export const brokenInPlace = `${plugin("broken")}case $0 in */bin/*) exit 1 ;; esac\n`;

export interface PluginArchive {
    readonly bytes: Buffer;
    readonly sha256: string;
}

/** An archive as plugins are published in: with the directory itself, owners, and texts beside programs. */
export function pluginArchive(programs: Readonly<Record<string, string>>): PluginArchive {
    const folder = mkdtempSync(join(tmpdir(), "plugins-"));
    try {
        // What is no program is put into no place.
        writeFileSync(join(folder, "README.md"), "plugins\n".repeat(100), { mode: 0o644 });
        for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, name), text, { mode: 0o755 });
        chmodSync(folder, 0o755);
        const bytes = execFileSync("tar", ["-cz", "--owner=1001", "--group=127", "-C", folder, "."]);
        return { bytes, sha256: createHash("sha256").update(bytes).digest("hex") };
    } finally {
        rmSync(folder, { recursive: true });
    }
}
