import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { askRuntime } from "../../../../../../agents/nodes/node-agent/container-runtime/runtimes";

describe("the programs of a container runtime", () => {
    let folder: string;
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o755 });
    /** As each of them prints it. */
    const words: Record<string, string> = {
        containerd: "containerd github.com/containerd/containerd/v2 v2.4.2 4ac6c20c7bbf8177f29e46bbdc658fec02ffb8ad",
        runc: "runc version 1.1.5+ds1\ncommit: 1.1.5+ds1-1+deb12u1\nspec: 1.0.2-dev\ngo: go1.19.8",
    };
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "ask-runtime-"));
        for (const name of ["containerd", "runc"]) write(name, `#!/bin/sh\ncat <<'end'\n${words[name]}\nend\n`);
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    it("report their versions", async () => {
        assert.deepEqual(await askRuntime(folder, "a-b"), { id: "a-b", containerd: "2.4.2", runc: "1.1.5+ds1" });
    });

    it("are rejected if containerd is missing, or prints something else", async () => {
        write("containerd", "half a file");
        await assert.rejects(askRuntime(folder, "a-b"), /containerd does not report its version: /);
        write("containerd", "#!/bin/sh\necho no version\n");
        await assert.rejects(askRuntime(folder, "a-b"), /containerd does not report its version, but "no version/);
        write("containerd", "#!/bin/sh\nexit 1\n");
        await assert.rejects(askRuntime(folder, "a-b"), /containerd does not report its version: /);
    });

    it("are accepted with a runc that does not run here, identified by its hash", async () => {
        write("runc", "of another C library");
        assert.deepEqual(await askRuntime(folder, "a-b"), { id: "a-b", containerd: "2.4.2", runc: "b" });
    });
});
