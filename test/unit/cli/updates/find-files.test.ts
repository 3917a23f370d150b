import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stackFilesIn } from "../../../../cli/updates/stack-file";

describe("the stacks of a project", () => {
    let folder: string;
    before(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-updates-"));
        mkdirSync(join(folder, "stacks"));
        for (const name of ["Pulumi.b.yaml", "Pulumi.a.yaml", "Pulumi.yaml", "index.ts"]) {
            writeFileSync(join(folder, "stacks", name), "");
            writeFileSync(join(folder, name), "");
        }
    });
    after(() => rmSync(folder, { recursive: true }));

    it("have their configuration where the project says, or next to it", () => {
        const names = ["Pulumi.a.yaml", "Pulumi.b.yaml"];
        assert.deepEqual(
            stackFilesIn(folder),
            names.map((name) => join(folder, name)),
        );
        writeFileSync(join(folder, "Pulumi.yaml"), "name: x\nstackConfigDir: stacks\n");
        assert.deepEqual(
            stackFilesIn(folder),
            names.map((name) => join(folder, "stacks", name)),
        );
    });

    it("are not found in a project that is invalid: the error names its file", () => {
        for (const [text, message] of [
            ["name: [", /Pulumi\.yaml must be valid YAML: [^\n]*$/],
            ["text", /Pulumi\.yaml must be a Pulumi project \(got text\)$/],
            ["stackConfigDir: [1]", /Pulumi\.yaml must be a Pulumi project \(got {"stackConfigDir":\[1\]}\)$/],
            ["stackConfigDir: none", /stackConfigDir must be a folder \(got .*none\)$/],
        ] as const) {
            writeFileSync(join(folder, "Pulumi.yaml"), text);
            assert.throws(() => stackFilesIn(folder), message);
        }
    });

    it("must be named without a project", () => {
        assert.throws(
            () => stackFilesIn(join(folder, "none")),
            /there is no Pulumi\.yaml in .*none: run it in the folder/,
        );
    });
});
