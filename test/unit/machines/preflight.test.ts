import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requireFit } from "../../../machines/preflight";
import { setVariables } from "../../variables";

describe("the preflight of a local machine", function () {
    this.timeout(20_000);
    const folder = mkdtempSync(join(tmpdir(), "tradewind-fit-"));
    let reset = () => {};
    const lines: string[] = [];
    /** Instead of Docker's client: prints what a machine would. */
    const answers = (shell: string) => {
        const docker = join(folder, "docker");
        writeFileSync(docker, `#!/bin/sh\ncd ${folder}\n${shell}\n`);
        chmodSync(docker, 0o755);
        reset = setVariables({ TRADEWIND_DOCKER: docker });
        lines.length = 0;
        return requireFit("c", "c-worker-0", (line) => lines.push(line), 1);
    };
    afterEach(() => reset());
    after(() => rmSync(folder, { recursive: true }));

    it("is not waited for where there is none", async () => {
        await answers("exit 0");
        assert.deepEqual(lines, []);
    });

    it("shows warnings", async () => {
        await answers("echo 'warning Hostname: odd'");
        assert.deepEqual(lines, ["c-worker-0: warning: Hostname: odd"]);
    });

    it("is waited for, and errors that pass are none", async () => {
        const tries =
            "echo >>tries; case $(wc -l <tries) in 1) exit 1 ;; 2) echo - ;; 3) echo 'error Swap: on' ;; esac";
        await answers(tries);
    });

    it("fails with all errors that last", async () => {
        const failed = answers("echo 'error Swap: on'; echo 'warning A: b'; echo 'error Mem: 5'");
        await assert.rejects(
            failed,
            /^Error: the preflight of c-worker-0 found 2 errors:\n {2}Swap: on\n {2}Mem: 5\nfix/,
        );
    });
});
