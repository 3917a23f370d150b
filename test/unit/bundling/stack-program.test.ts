import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { bundledProgram } from "../../../bundling/stack-program";

const root = resolve(__dirname, "../../..");

describe("The program as one file", function () {
    this.timeout(30_000);
    const { text, map } = bundledProgram(join(root, "stacks/index.ts"));
    const required = [...text.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name = ""]) => name);

    it("has all of ours in it but what looks for files beside its own", () => {
        const ours = new Set(required.filter((name) => name.startsWith(".")));
        assert.deepEqual([...ours].sort(), ["../bundling/agents.ts", "../components/pulumi/own-program.ts"]);
        // Any that did would look beside the first file.
        assert.doesNotMatch(text, /__dirname|__filename/);
    });

    it("leaves packages where they are: the SDK must be one", () => {
        assert.ok(required.includes("@pulumi/pulumi"));
        assert.doesNotMatch(text, /node_modules/);
    });

    it("has a source map", () => {
        const { sources } = JSON.parse(map()!) as { sources: string[] };
        assert.ok(sources.includes("local.ts") && sources.includes("../components/pki/pki.ts"), sources.join(" "));
    });

    it("is kept, and is the same then", () => {
        const again = bundledProgram(join(root, "stacks/index.ts"));
        assert.equal(again.text, text);
        assert.equal(again.map(), map());
    });
});
