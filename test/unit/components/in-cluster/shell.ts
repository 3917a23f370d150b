import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";

/** Fails unless the shell can read the script and shellcheck, where it is installed, has nothing against it. */
export function assertShell(script: string): void {
    const parsed = spawnSync("sh", ["-n"], { input: script, encoding: "utf8" });
    assert.equal(parsed.status, 0, parsed.stderr);
    // SC2317: it takes functions that only a trap calls for unreachable. SC1091: what is sourced lies on a node.
    const checked = spawnSync("shellcheck", ["--shell=sh", "--exclude=SC2317,SC1091", "-"], {
        input: script,
        encoding: "utf8",
    });
    const isInstalled = (checked.error as NodeJS.ErrnoException | undefined)?.code !== "ENOENT";
    assert.equal(isInstalled ? checked.stdout : "", "");
}
