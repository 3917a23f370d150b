import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { installedDependencies, missingDependencies } from "../../../../../simulator/plugins/nodejs/packages";
import { parseOptions, splitWords } from "../../../../../simulator/plugins/nodejs/run-program";

describe("the options of the Node language host", () => {
    const cases: [string, string[]][] = [
        ["", []],
        ["--require tsx/cjs", ["--require", "tsx/cjs"]],
        ["  a\t'b c' ", ["a", "b c"]],
        ["--x=\"a b\"'c'd", ["--x=a bcd"]],
        ['a\\ b "c\\"d\\e"', ["a b", 'c"d\\e']],
        ["''", [""]],
    ];
    for (const [text, words] of cases) {
        it(`are split into words: ${JSON.stringify(text)}`, () => assert.deepEqual(splitWords(text), words));
    }

    it("must have closed quotes", () => {
        assert.throws(() => splitWords('--require "x'), /nodeargs must have closed quotes/);
    });

    it("compile TypeScript by default", () => {
        assert.deepEqual(parseOptions({}), { typescript: true, tsconfig: undefined, nodeargs: [] });
        assert.equal(parseOptions({ typescript: false }).typescript, false);
        assert.throws(() => parseOptions({ typescript: "no" }), /typescript must be true or false \(got no\)/);
    });
});

describe("the packages that a program needs", () => {
    it("are the providers among the dependencies of the nearest package.json", () => {
        const plugins = installedDependencies(__dirname).flatMap(({ plugin }) => plugin ?? []);

        assert.deepEqual(plugins.map(({ name }) => name).sort(), [
            "aws",
            "command",
            "digitalocean",
            "kubernetes",
            "tls",
        ]);
        for (const { version } of plugins) assert.match(version, /^v\d+\.\d+\.\d+$/);
    });

    it("are not installed again", () => {
        assert.deepEqual(missingDependencies(resolve(__dirname, "../../../../..")), []);
        const folder = mkdtempSync(join(tmpdir(), "tradewind-dependencies-"));
        try {
            writeFileSync(join(folder, "package.json"), '{ "dependencies": { "somebodys": "1.0.0" } }');
            assert.deepEqual(missingDependencies(folder), ["somebodys"]);
        } finally {
            rmSync(folder, { recursive: true });
        }
    });
});
