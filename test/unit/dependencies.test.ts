import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { cloudNames } from "../../cluster/clouds";
import { circlesOf, importsOf, LAYERS, layerOf, productFiles, sourceFiles, upwardImports } from "../../dev/structure";

const root = resolve(__dirname, "../..");
const files = sourceFiles(root);
const imports = importsOf(root, files);

const textOf = (file: string) => readFileSync(join(root, file), "utf8");

/** Packages that a file imports at run time: type-only imports do not count. */
function packagesOf(file: string): string[] {
    return [...textOf(file).matchAll(/^import (?!type ).*? from "([^".][^"]*)";$/gms)].map(([, name]) => name!);
}

describe("dependencies", () => {
    it("have a layer for every top-level folder with code", () => {
        assert.deepEqual([...new Set(files.map(layerOf))].sort(), Object.keys(LAYERS).sort());
        const folders = readdirSync(root, { withFileTypes: true })
            .filter(
                (entry) =>
                    entry.isDirectory() &&
                    !entry.name.startsWith(".") &&
                    !["dist", "node_modules"].includes(entry.name),
            )
            .map(({ name }) => name);
        const withoutCode = ["docs", "examples", "site", "test"];
        assert.deepEqual(
            folders.filter((folder) => !(folder in LAYERS)),
            withoutCode,
        );
    });

    it("flow one way", () => {
        assert.ok(imports.length > 2000, String(imports.length));
        assert.deepEqual(
            upwardImports(imports).map(({ from, to }) => `${from} imports ${to}`),
            [],
        );
    });

    it("keep what only developers need out of what users run: builder, stand-ins, simulators, tools", () => {
        const product = productFiles(files, imports);
        assert.ok(product.length > 500, String(product.length));
        assert.deepEqual(
            product.filter((file) => ["artifacts", "simulator", "dev"].includes(layerOf(file))),
            [],
        );
    });

    it("have no circles, not even of types", () => {
        assert.deepEqual(circlesOf(imports), []);
    });

    it("allow only components, the plugin, stacks and tools to import Pulumi at run time", () => {
        const may = ["components", "index.ts", "plugin", "stacks", "simulator", "dev", "local", "cli"];
        const wrong = files.filter(
            (file) => !may.includes(layerOf(file)) && packagesOf(file).some((name) => name.startsWith("@pulumi/")),
        );
        assert.deepEqual(wrong, []);
    });

    it("validate with one library", () => {
        const { dependencies } = JSON.parse(textOf("package.json"));
        const validators = ["ajv", "io-ts", "joi", "superstruct", "typebox", "valibot", "yup", "zod"];
        assert.deepEqual(
            Object.keys(dependencies).filter((name) => validators.includes(name)),
            ["valibot"],
        );
    });

    it("do not allow clouds to import each other", () => {
        const clouds = ["local", ...cloudNames];
        const cloudOf = (file: string) => clouds.find((cloud) => file.startsWith(`components/${cloud}/`));
        const wrong = imports.filter(({ from, to }) => {
            const [own, other] = [cloudOf(from), cloudOf(to)];
            return own !== undefined && other !== undefined && own !== other;
        });
        assert.deepEqual(wrong, []);
    });

    it("keep no switch in a global, in code that creates a cluster: a program may have several clusters", () => {
        const wrong = files
            .filter((file) => ["ignition", "cluster", "components", "index.ts", "plugin"].includes(layerOf(file)))
            .filter((file) => /^(export )?(let|var) |\bglobalThis\b/m.test(textOf(file)));
        assert.deepEqual(wrong, []);
    });

    it("allow only stacks to read configuration and the environment, in code that creates a cluster", () => {
        const wrong = files
            .filter((file) => ["ignition", "cluster", "components", "index.ts", "plugin"].includes(layerOf(file)))
            .filter((file) => /process\.env|new pulumi\.Config/.test(textOf(file)));
        assert.deepEqual(wrong, []);
    });
});
