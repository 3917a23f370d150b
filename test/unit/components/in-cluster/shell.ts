import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";

/** Fails unless the shell can parse the script and shellcheck, if installed, accepts it. */
export function assertShell(script: string): void {
    const parsed = spawnSync("sh", ["-n"], { input: script, encoding: "utf8" });
    assert.equal(parsed.status, 0, parsed.stderr);
    // SC2317: functions called only by a trap are reported as unreachable. SC1091: sourced files are on a node.
    const checked = spawnSync("shellcheck", ["--shell=sh", "--exclude=SC2317,SC1091", "-"], {
        input: script,
        encoding: "utf8",
    });
    const isInstalled = (checked.error as NodeJS.ErrnoException | undefined)?.code !== "ENOENT";
    assert.equal(isInstalled ? checked.stdout : "", "");
}
