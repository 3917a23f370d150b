import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { AGENTS } from "../../../../bundling/agents";
import { INCLUDED, MODULES, PLUGIN, PROGRAMS } from "../../../../dev/release/build";

const root = resolve(__dirname, "../../../..");

/** Literal arguments of calls in components, such as `bundleAgent("checkpointer")`. */
function namedBy(call: string): string[] {
    const texts = readdirSync(join(root, "components"), { withFileTypes: true, recursive: true })
        .filter(({ name }) => name.endsWith(".ts"))
        .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"));
    return texts.flatMap((text) =>
        [...text.matchAll(new RegExp(`\\b${call}\\("([^"]+)"`, "g"))].map(([, name]) => name!),
    );
}

describe("the npm package", () => {
    it("contains every agent that components install on nodes", () => {
        const named = namedBy("bundleAgent");
        assert.ok(named.length > 10);
        for (const name of named) assert.ok(name in AGENTS, name);
    });

    it("contains every program that components run", () => {
        const named = new Set(namedBy("ownProgram"));
        assert.deepEqual([...named].sort(), [...PROGRAMS].sort());
    });

    it("is built from existing files", () => {
        for (const path of [
            ...INCLUDED,
            ...[...Object.values(MODULES), ...PROGRAMS, PLUGIN].map((each) => `${each}.ts`),
        ]) {
            assert.ok(existsSync(join(root, path)), path);
        }
    });
});
