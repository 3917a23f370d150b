import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { askPlugin } from "../../../../../../agents/nodes/node-agent/cni-plugins/plugins";
import { plugin } from "../plugin-archive";

describe("the version probe of a CNI plugin", () => {
    let folder: string;
    const path = () => join(folder, "bridge");
    before(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-plugin-"));
    });
    after(() => rmSync(folder, { recursive: true }));

    it("succeeds if it reports versions in the protocol's format", async () => {
        writeFileSync(path(), plugin("v1"), { mode: 0o755 });
        await askPlugin(path());
    });

    const table: [title: string, text: string, problem: RegExp][] = [
        [
            "exits with an error",
            "#!/bin/sh\necho no such command >&2\nexit 1\n",
            /^bridge does not report .*no such comm/,
        ],
        ["is not a program", "\x7fELF\0", /^bridge does not report its versions: /],
        ["prints nothing", "#!/bin/sh\n", /^bridge does not report its versions, but ""$/],
        ["prints something other than JSON", "#!/bin/sh\necho 1.0.0,\n", /, but "1\.0\.0,\\n"$/],
        ["supports no version", `#!/bin/sh\necho '{"supportedVersions":[]}'\n`, /, but /],
        ["reads nothing and prints much", "#!/bin/sh\nseq 100000\n", /^.{0,300}$/],
    ];
    for (const [title, text, problem] of table) {
        it(`fails if it ${title}`, async () => {
            writeFileSync(path(), text, { mode: 0o755 });
            await assert.rejects(askPlugin(path()), (error: Error) => problem.test(error.message));
        });
    }

    it("fails if it does not exist, or is not executable", async () => {
        await assert.rejects(askPlugin(join(folder, "vlan")), /^Error: vlan does not report its versions: .*ENOENT/);
        writeFileSync(join(folder, "ptp"), plugin("v1"), { mode: 0o644 });
        await assert.rejects(askPlugin(join(folder, "ptp")), /^Error: ptp does not report its versions: .*EACCES/);
    });
});
