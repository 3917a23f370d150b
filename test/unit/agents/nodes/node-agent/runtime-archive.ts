import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A small program that prints a version like containerd and runc. */
export const program = (name: string, version: string) => `#!/bin/sh\necho "${name} version ${version}"\n`;

export interface RuntimeFiles {
    readonly containerd: { readonly bytes: Buffer; readonly sha256: string };
    readonly runc: { readonly bytes: Buffer; readonly sha256: string };
}

/** The files of a runtime, in the layout of its projects' releases. @param texts - of programs that differ */
export function runtimeFiles(
    version: string,
    runc: string,
    texts: Readonly<Record<string, string>> = {},
): RuntimeFiles {
    const folder = mkdtempSync(join(tmpdir(), "runtime-"));
    try {
        mkdirSync(join(folder, "bin"));
        for (const name of ["containerd", "containerd-shim-runc-v2", "ctr", "containerd-stress"]) {
            writeFileSync(join(folder, "bin", name), texts[name] ?? program(name, version), { mode: 0o755 });
        }
        const archive = execFileSync("tar", ["-cz", "--owner=1001", "--group=127", "-C", folder, "bin"]);
        return { containerd: hashed(archive), runc: hashed(Buffer.from(texts.runc ?? program("runc", runc))) };
    } finally {
        rmSync(folder, { recursive: true });
    }
}

function hashed(bytes: Buffer) {
    return { bytes, sha256: createHash("sha256").update(bytes).digest("hex") };
}
