import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { bundled } from "../../../../simulator/plugins/stand-in";

describe("the program of a stand-in", () => {
    const { TRADEWIND_CACHE } = process.env;
    let folder: string;
    /** As for one of the simulator's own folders. */
    const plugin = () => ({ folder: relative("simulator", join(folder, "plugin")) });
    const write = (file: string, text: string) => writeFileSync(join(folder, "plugin", file), text);
    const text = async () => readFileSync(await bundled(plugin()), "utf8");

    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-stand-in-"));
        process.env.TRADEWIND_CACHE = join(folder, "cache");
        mkdirSync(join(folder, "plugin"));
        write("main.ts", 'import { answer } from "./answer";\nconsole.log(answer);\n');
        write("answer.ts", "export const answer = 41;\n");
    });

    afterEach(() => {
        if (TRADEWIND_CACHE === undefined) delete process.env.TRADEWIND_CACHE;
        else process.env.TRADEWIND_CACHE = TRADEWIND_CACHE;
        rmSync(folder, { recursive: true });
        const builds = "node_modules/.cache/tradewind";
        const own = readdirSync(builds).filter((file) => file.includes(basename(folder)));
        for (const file of own) rmSync(join(builds, file));
    });

    it("is built again when one of its sources changes", async () => {
        const first = await bundled(plugin());
        write("answer.ts", "export const answer = 421;\n");
        assert.notEqual(await bundled(plugin()), first);
        assert.match(await text(), /421/);
    });

    it("needs no compiler once it is built", async () => {
        const first = await bundled(plugin());
        const esbuild = require.resolve("esbuild");
        const loaded = require.cache[esbuild];
        require.cache[esbuild] = { exports: {} } as NodeJS.Module;
        try {
            assert.equal(await bundled(plugin()), first);
        } finally {
            if (loaded) require.cache[esbuild] = loaded;
            else delete require.cache[esbuild];
        }
    });

    it("is written again if it was removed from the cache", async () => {
        rmSync(await bundled(plugin()));
        assert.match(await text(), /41/);
    });
});
