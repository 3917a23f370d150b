import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Plugin, transformSync } from "esbuild";
import { AGENTS, type AgentName, buildAgent } from "../../bundling/agents";
import { programBuild } from "../../bundling/build-options";
import { OF_CHECKOUT } from "../../cli/tradewind";
import { licenceNotices, packageFolders } from "./bill-of-materials";

const ROOT = resolve(__dirname, "../..");

/** Makes the npm package in a folder, in the place of what is there. */
export async function buildPackage(folder: string): Promise<void> {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    compile(folder);
    compactPrograms(folder);
    const inputs = (Object.keys(AGENTS) as AgentName[]).flatMap((name) => {
        const { text, inputs: files } = buildAgent(name);
        // A third of the package otherwise.
        write(join(folder, "agents/bundles", `${name}.js.gz`), gzipSync(text, { level: 9 }));
        return files;
    });
    write(join(folder, "THIRD-PARTY-LICENSES.txt"), licenceNotices(packageFolders(inputs)));
    for (const path of BESIDE) {
        cpSync(join(ROOT, path), join(folder, path), { recursive: true });
    }
    write(join(folder, `${CLI}.js`), await bundledCli(ROOT));
    cpSync(join(__dirname, "tradewind.cjs"), join(folder, BIN));
    chmodSync(join(folder, BIN), 0o755);
    compactSchemas(folder);
    const checkout = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    const manifest = packageManifest(checkout, requiredPackages(javaScript(folder)));
    write(join(folder, "package.json"), `${JSON.stringify(manifest, undefined, 4)}\n`);
}

/**
 * JavaScript and types of what users import, of what Commands run and of the plugin, and of all that these need.
 *
 * Comments go along with the types, where editors show them, and not once more with what runs.
 */
function compile(folder: string): void {
    compileWith(folder, { declaration: true, emitDeclarationOnly: true, stripInternal: true });
    compileWith(folder, { removeComments: true });
    removeUnreachableTypes(folder, Object.values(MODULES));
}

function compileWith(folder: string, emits: object): void {
    const files = [...Object.values(MODULES), ...PROGRAMS, PLUGIN].map((path) => join(ROOT, `${path}.ts`));
    const settings = join(folder, "tsconfig.json");
    const compilerOptions = {
        ...{ noEmit: false, rootDir: ROOT, outDir: folder, ...emits },
        ...{ types: ["node"], typeRoots: [join(ROOT, "node_modules/@types")] },
    };
    write(settings, JSON.stringify({ extends: join(ROOT, "tsconfig.json"), compilerOptions, include: [], files }));
    const compiler = join(ROOT, "node_modules/typescript-native/bin/tsc");
    execFileSync(process.execPath, [compiler, "--project", settings], { stdio: ["ignore", 2, 2] });
    rmSync(settings);
}

/** Names stay, and white space goes, a sixth of what is compiled: whoever reads a stack trace has the checkout for the rest. */
function compactPrograms(folder: string): void {
    for (const { name, parentPath } of readdirSync(folder, { withFileTypes: true, recursive: true })) {
        const path = join(parentPath, name);
        if (!name.endsWith(".js")) continue;
        write(path, transformSync(readFileSync(path, "utf8"), { minifyWhitespace: true }).code);
    }
}

/** Nobody reads a schema in a package: indentation is a third of it. */
function compactSchemas(folder: string): void {
    for (const { name, parentPath } of readdirSync(folder, { withFileTypes: true, recursive: true })) {
        const path = join(parentPath, name);
        if (name.endsWith(".json")) write(path, JSON.stringify(JSON.parse(readFileSync(path, "utf8"))));
    }
}

/** What its agents' bundles load is in them. */
function javaScript(folder: string): string[] {
    return readdirSync(folder, { withFileTypes: true, recursive: true })
        .filter(({ name }) => name.endsWith(".js"))
        .map(({ name, parentPath }) => readFileSync(join(parentPath, name), "utf8"));
}

function write(path: string, text: string | Buffer): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
}

/** The package's own file of `tradewind`: one folder below the package's, as this constant of its text says. */
const CLI = "cli/tradewind";
const PACKAGE = 'require("node:path").dirname(__dirname)';

/** Files look for others beside their own: each is told where that is in the package. */
const placesInPackage = (root: string): Plugin => ({
    name: "places in the package",
    setup({ onLoad }) {
        onLoad({ filter: /\.ts$/ }, ({ path }) => {
            const text = readFileSync(path, "utf8");
            const file = relative(root, path).replace(/ts$/, "js");
            const places = Object.entries({ __dirname: dirname(file), __filename: file })
                .filter(([name]) => text.includes(name))
                .map(([name, place]) => `const ${name} = require("node:path").join(packageFolder, "${place}");`);
            return { contents: places.join(" ") + text, loader: "ts" };
        });
    },
});

/** `tradewind` as one file, which loads the package's dependencies: most of its users have no checkout. */
export async function bundledCli(root: string): Promise<string> {
    const { outputFiles } = await build({
        ...programBuild(root, join(root, `${CLI}.ts`)),
        sourcemap: false,
        packages: "external",
        external: OF_CHECKOUT.map((name) => `./cli/${name}/command`),
        plugins: [placesInPackage(root)],
        banner: { js: `"use strict"; const packageFolder = ${PACKAGE};` },
        // The package is to stay small; for whoever reads a stack trace there is the checkout.
        minify: true,
    });
    return outputFiles[0].text;
}

/** What users of the package import, by the name after the package's. */
export const MODULES = { ".": "index", "./ignition": "ignition/index" } as const;

/** Programs that the components' Commands run: components/pulumi/own-program.ts. */
export const PROGRAMS = ["machines/cli", "agents/clean-up/main", "agents/bootstrap-sender/main"] as const;

/** What is loaded for programs in other languages, by plugin/main.cjs. */
export const PLUGIN = "plugin/provider";

/** What `npx tradewind` runs; it loads the bundle of CLI. */
const BIN = "cli/tradewind.cjs";

/** Folders and files that go along as they are. */
export const BESIDE = [
    "command-line/end-with.cjs",
    "machines/image",
    "bundling/kept-builds.cjs",
    "bundling/kept-builds.d.cts",
    "plugin/main.cjs",
    "plugin/schema.json",
    "PulumiPlugin.yaml",
    "README.md",
    "CHANGELOG.md",
    "LICENSE",
] as const;

/** What of the checkout's package.json the package has, too. */
interface Checkout {
    readonly name: string;
    readonly version: string;
    readonly description: string;
    readonly license: string;
    readonly engines: Readonly<Record<string, string>>;
    readonly dependencies: Readonly<Record<string, string>>;
}

/** The checkout's alone: the package has what they make. */
const BUILD_ONLY = ["esbuild"];

/**
 * The package's own package.json.
 *
 * @param required - packages that its files load
 * @throws when one of them is no dependency of the checkout
 */
export function packageManifest(checkout: Checkout, required: readonly string[]): object {
    const { name, version, description, license, engines } = checkout;
    const wanted = required.filter((each) => !BUILD_ONLY.includes(each)).sort();
    const unknown = wanted.filter((each) => !Object.hasOwn(checkout.dependencies, each));
    if (unknown.length > 0) {
        throw new Error(`a package that is loaded must be among the dependencies, got ${unknown.join(", ")}`);
    }
    const exported = Object.entries(MODULES).map(([subpath, file]) => [
        subpath,
        { types: `./${file}.d.ts`, default: `./${file}.js` },
    ]);
    return {
        ...{ name, version, description, license, engines },
        keywords: ["kubernetes", "pulumi", "self-hosted", "ignition", "aws", "digitalocean"],
        type: "commonjs",
        // What loads it as a folder is Pulumi, as a plugin: PulumiPlugin.yaml. Everybody else goes by `exports`.
        main: "./plugin/main.cjs",
        types: `./${MODULES["."]}.d.ts`,
        bin: { [name]: BIN },
        exports: { ...Object.fromEntries(exported), "./package.json": "./package.json" },
        dependencies: Object.fromEntries(wanted.map((each) => [each, checkout.dependencies[each]])),
    };
}

/** Names of the packages that JavaScript loads, each once. */
export function requiredPackages(texts: readonly string[]): string[] {
    const targets = texts.flatMap((text) => [...text.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, target]) => target!));
    const names = targets
        .filter((target) => !target.startsWith(".") && !isBuiltin(target))
        .map((target) => target.split("/", target.startsWith("@") ? 2 : 1).join("/"));
    return [...new Set(names)];
}

/** Removes the types that no module of the package's users reaches: the compiler writes those of all that runs. */
function removeUnreachableTypes(folder: string, modules: readonly string[]): void {
    const reached = new Set<string>();
    const waiting = modules.map((name) => resolve(folder, `${name}.d.ts`));
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
        if (reached.has(path)) continue;
        reached.add(path);
        waiting.push(...importsOf(path));
    }
    for (const { name, parentPath } of readdirSync(folder, { withFileTypes: true, recursive: true })) {
        const path = resolve(parentPath, name);
        if (name.endsWith(".d.ts") && !reached.has(path)) rmSync(path);
    }
}

/** Files of types that one names, by `from "./x"`, `import("./x")` or `import "./x"`. */
function importsOf(path: string): string[] {
    const names = [...readFileSync(path, "utf8").matchAll(/(?:from|import)\s*\(?\s*["'](\.[^"']*)["']/g)];
    return names.flatMap(([, name = ""]) => {
        const base = join(dirname(path), name);
        const found = [`${base}.d.ts`, join(base, "index.d.ts")].find((file) => existsSync(file));
        return found === undefined ? [] : [resolve(found)];
    });
}
