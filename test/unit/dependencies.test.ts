import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript";

const root = resolve(__dirname, "../..");

/** The layers, lowest first: a file may import at run time from its own layer and those that it names. */
const layers = {
    ignition: { folders: ["ignition"], mayImport: [] },
    artifacts: { folders: ["artifacts"], mayImport: ["agents"] },
    pure: {
        folders: ["components/cluster", "components/control-plane", "components/addons", "components/nodes"],
        mayImport: ["ignition", "artifacts", "agents"],
    },
    agents: { folders: ["agents"], mayImport: [] },
    classes: { folders: ["components"], mayImport: ["ignition", "agents", "pure"] },
    package: { folders: ["index.ts"], mayImport: ["classes", "pure", "ignition"] },
    plugin: { folders: ["plugin"], mayImport: ["classes", "pure"] },
    stacks: { folders: ["stacks"], mayImport: ["package", "classes", "pure", "artifacts", "agents", "machines"] },
    machines: { folders: ["machines"], mayImport: ["artifacts", "agents"] },
    release: { folders: ["release"], mayImport: ["agents"] },
} as const;
type Layer = keyof typeof layers;

/** The longest folder that holds the file names its layer. */
function layerOf(file: string): Layer | undefined {
    const holders = Object.entries(layers).flatMap(([layer, { folders }]) =>
        folders
            .filter((folder) => file === folder || file.startsWith(`${folder}/`))
            .map((folder) => ({ layer, folder })),
    );
    return holders.sort((a, b) => b.folder.length - a.folder.length)[0]?.layer as Layer | undefined;
}

function sources(folder: string): string[] {
    return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && !entry.parentPath.includes("node_modules"))
        .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

/** What a file imports at run time: type-only imports do not count. */
function runtimeImports(file: string): string[] {
    const source = ts.createSourceFile(file, readFileSync(join(root, file), "utf8"), ts.ScriptTarget.Latest);
    return source.statements.flatMap((statement) => {
        if (ts.isImportDeclaration(statement) && !isTypeOnly(statement)) {
            return [(statement.moduleSpecifier as ts.StringLiteral).text];
        }
        if (ts.isExportDeclaration(statement) && statement.moduleSpecifier && !statement.isTypeOnly) {
            return [(statement.moduleSpecifier as ts.StringLiteral).text];
        }
        return [];
    });
}

function isTypeOnly({ importClause }: ts.ImportDeclaration): boolean {
    const named = importClause?.namedBindings;
    const onlyTypes =
        !importClause?.name &&
        named &&
        ts.isNamedImports(named) &&
        named.elements.every((element) => element.isTypeOnly);
    return Boolean(importClause?.isTypeOnly || onlyTypes);
}

const files = [
    "index.ts",
    ...["ignition", "artifacts", "components", "plugin", "agents", "stacks", "machines", "release"].flatMap(sources),
];

describe("dependencies", () => {
    it("flow one way", () => {
        const wrong = files.flatMap((file) => {
            const layer = layerOf(file)!;
            return runtimeImports(file)
                .filter((target) => target.startsWith("."))
                .map((target) => relative(root, resolve(dirname(join(root, file)), target)))
                .filter((target) => {
                    const to = layerOf(target) ?? layerOf(`${target}.ts`);
                    return to !== layer && !(layers[layer].mayImport as readonly string[]).includes(to ?? "");
                })
                .map((target) => `${file} (${layer}) imports ${target}`);
        });
        assert.deepEqual(wrong, []);
    });

    it("let only component classes, the plugin and stacks touch Pulumi at run time", () => {
        const wrong = files.filter(
            (file) =>
                !["classes", "package", "plugin", "stacks"].includes(layerOf(file)!) &&
                runtimeImports(file).some((target) => target.startsWith("@pulumi/")),
        );
        assert.deepEqual(wrong, []);
    });

    it("let clouds not import each other", () => {
        const clouds = ["local", "aws", "digitalocean"];
        const wrong = files.filter((file) => {
            const own = clouds.find((cloud) => file.startsWith(`components/${cloud}/`));
            const others = clouds.filter((cloud) => cloud !== own).map((cloud) => `../${cloud}/`);
            return own && runtimeImports(file).some((target) => others.some((other) => target.includes(other)));
        });
        assert.deepEqual(wrong, []);
    });

    it("let only stacks read configuration and the environment among the components", () => {
        const wrong = files
            .filter((file) => ["ignition", "pure", "classes", "package", "plugin"].includes(layerOf(file)!))
            .filter((file) => /process\.env|new pulumi\.Config/.test(readFileSync(join(root, file), "utf8")));
        assert.deepEqual(wrong, []);
    });
});
