import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { bundledProgram } from "../../../bundling/stack-program";

const root = resolve(__dirname, "../../..");

describe("the bundled program", function () {
    this.timeout(30_000);
    const { text, map } = bundledProgram(join(root, "stacks/index.ts"));
    const required = [...text.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name = ""]) => name);

    it("contains all our files except those that locate others relative to their path", () => {
        const ours = new Set(required.filter((name) => name.startsWith(".")));
        assert.deepEqual([...ours].sort(), ["../bundling/agents.ts", "../components/pulumi/own-program.ts"]);
        // Others would search next to the first file.
        assert.doesNotMatch(text, /__dirname|__filename/);
    });

    it("does not include packages: the SDK must exist only once", () => {
        assert.ok(required.includes("@pulumi/pulumi"));
        assert.doesNotMatch(text, /node_modules/);
    });

    it("has a source map", () => {
        const { sources } = JSON.parse(map()!) as { sources: string[] };
        assert.ok(sources.includes("local.ts") && sources.includes("../components/pki/pki.ts"), sources.join(" "));
    });

    it("is stored, and then identical", () => {
        const again = bundledProgram(join(root, "stacks/index.ts"));
        assert.equal(again.text, text);
        assert.equal(again.map(), map());
    });
});
