import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { askPlugin } from "../../../../../../agents/nodes/node-agent/cni-plugins/plugins";
import { plugin } from "../plugin-archive";

describe("a CNI plugin that is asked for its versions", () => {
    let folder: string;
    const path = () => join(folder, "bridge");
    before(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-plugin-"));
    });
    after(() => rmSync(folder, { recursive: true }));

    it("does when it tells some, as the protocol has it", async () => {
        writeFileSync(path(), plugin("v1"), { mode: 0o755 });
        await askPlugin(path());
    });

    const table: [title: string, text: string, problem: RegExp][] = [
        ["ends with an error", "#!/bin/sh\necho no such command >&2\nexit 1\n", /^bridge does not tell .*no such comm/],
        ["is no program", "\x7fELF\0", /^bridge does not tell its versions: /],
        ["says nothing", "#!/bin/sh\n", /^bridge does not tell its versions, but ""$/],
        ["says what is no JSON", "#!/bin/sh\necho 1.0.0,\n", /, but "1\.0\.0,\\n"$/],
        ["knows no version", `#!/bin/sh\necho '{"supportedVersions":[]}'\n`, /, but /],
        ["reads nothing and says much", "#!/bin/sh\nseq 100000\n", /^.{0,300}$/],
    ];
    for (const [title, text, problem] of table) {
        it(`does not when it ${title}`, async () => {
            writeFileSync(path(), text, { mode: 0o755 });
            await assert.rejects(askPlugin(path()), (error: Error) => problem.test(error.message));
        });
    }

    it("does not when it is not there, or not to be run", async () => {
        await assert.rejects(askPlugin(join(folder, "vlan")), /^Error: vlan does not tell its versions: .*ENOENT/);
        writeFileSync(join(folder, "ptp"), plugin("v1"), { mode: 0o644 });
        await assert.rejects(askPlugin(join(folder, "ptp")), /^Error: ptp does not tell its versions: .*EACCES/);
    });
});
