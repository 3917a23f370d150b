import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { bundledCommand } from "../../../bundling/command";

const root = resolve(__dirname, "../../..");

describe("a bundled command", function () {
    this.timeout(60_000);
    let folder: string;

    beforeEach(() => {
        folder = realpathSync(mkdtempSync(join(tmpdir(), "tradewind-bundled-")));
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    it("keeps the original location of each of our files", async () => {
        mkdirSync(join(folder, "inner"));
        writeFileSync(join(folder, "inner/places.ts"), "export const places: string[] = [__dirname, __filename];\n");
        writeFileSync(
            join(folder, "outer.ts"),
            'import { places } from "./inner/places";\nconsole.log([...places, __dirname].join());\n',
        );
        const { text, inputs } = await bundledCommand(join(folder, "outer.ts"));
        const said: string[] = [];
        new Function("require", "module", "console", text)(require, {}, { log: (line: string) => said.push(line) });

        const inner = join(folder, "inner");
        assert.deepEqual(said, [[inner, join(inner, "places.ts"), folder].join()]);
        assert.ok(inputs.includes(join(inner, "places.ts")));
    });

    it("contains its packages, and is rebuilt for another version of one", async () => {
        const { text, inputs } = await bundledCommand(join(root, "cli/tradewind.ts"));
        const required = [...text.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name = ""]) => name);

        assert.deepEqual(
            ["yaml", "valibot", "ws", "@pulumi/pulumi"].filter((name) => required.includes(name)),
            [],
        );
        const ofPackages = inputs.filter((path) => /[\\/]node_modules[\\/]/.test(path));
        assert.ok(
            ofPackages.every((path) => /node_modules[\\/][^\\/]+[\\/]package\.json$/.test(path)),
            ofPackages.join(),
        );
    });
});
