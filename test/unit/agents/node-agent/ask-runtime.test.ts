import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { askRuntime } from "../../../../agents/node-agent/ask-runtime";
import { runtimePrograms } from "../../../../agents/node-agent/layout";

describe("the programs of a container runtime", () => {
    let folder: string;
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o755 });
    /** As each of them says it. */
    const words: Record<string, string> = {
        containerd: "containerd github.com/containerd/containerd/v2 v2.4.2 4ac6c20c7bbf8177f29e46bbdc658fec02ffb8ad",
        "containerd-shim-runc-v2": "containerd-shim-runc-v2:\n  Version:  v2.4.2\n  Go version: go1.26.6",
        ctr: "ctr github.com/containerd/containerd/v2 v2.4.2",
        runc: "runc version 1.1.5+ds1\ncommit: 1.1.5+ds1-1+deb12u1\nspec: 1.0.2-dev\ngo: go1.19.8",
    };
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "ask-runtime-"));
        for (const name of runtimePrograms) write(name, `#!/bin/sh\ncat <<'end'\n${words[name]}\nend\n`);
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    it("tell their versions", async () => {
        assert.deepEqual(await askRuntime(folder, "a-b"), { id: "a-b", containerd: "2.4.2", runc: "1.1.5+ds1" });
    });

    it("are named where one is none, or tells something else", async () => {
        for (const name of runtimePrograms) {
            const whole = words[name]!;
            write(name, "half a file");
            await assert.rejects(askRuntime(folder, "a-b"), new RegExp(`${name} does not tell its version: `));
            write(name, "#!/bin/sh\necho no version\n");
            await assert.rejects(askRuntime(folder, "a-b"), new RegExp(`${name} does not tell its version, but "no v`));
            write(name, "#!/bin/sh\nexit 1\n");
            await assert.rejects(askRuntime(folder, "a-b"), new RegExp(`${name} does not tell its version: `));
            write(name, `#!/bin/sh\ncat <<'end'\n${whole}\nend\n`);
        }
    });
});
