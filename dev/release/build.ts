import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { basename, dirname, join, relative, resolve } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { build, type Plugin } from "esbuild";
import { AGENTS, type AgentName, buildAgent } from "../../bundling/agents";
import { programBuild, programFiles } from "../../bundling/build-options";
import { OF_CHECKOUT } from "../../cli/tradewind";
import { cloudNames } from "../../cluster/clouds";
import { licenceNotices, packageFolders } from "./bill-of-materials";
import { lineMappings } from "./line-mappings";

const ROOT = resolve(__dirname, "../..");

/**
 * Builds the npm package in a folder, replacing its contents.
 *
 * @param repository - URL of the source, for package.json. @default that of the checkout's package.json
 */
export async function buildPackage(folder: string, repository?: string): Promise<void> {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    compile(folder);
    placeSourceMaps(folder);
    const inputs = (Object.keys(AGENTS) as AgentName[]).flatMap((name) => {
        const { text, inputs: files } = buildAgent(name);
        // Otherwise a third of the package.
        write(join(folder, "agents/bundles", `${name}.js.br`), brotliCompressSync(text));
        return files;
    });
    write(join(folder, "THIRD-PARTY-LICENSES.txt"), licenceNotices(packageFolders(inputs)));
    for (const path of INCLUDED) {
        cpSync(join(ROOT, path), join(folder, path), { recursive: true });
    }
    const cli = await bundledCli(ROOT, folder);
    write(join(folder, `${CLI}.js`), cli.text);
    write(join(folder, `${CLI}.js.map`), withLines(JSON.parse(cli.map)));
    cpSync(join(__dirname, "tradewind.cjs"), join(folder, BIN));
    chmodSync(join(folder, BIN), 0o755);
    compactSchemas(folder);
    const checkout = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    const manifest = packageManifest(
        { ...checkout, ...(repository && { repository }) },
        requiredPackages(javaScript(folder)),
        readdirSync(folder),
    );
    write(join(folder, "package.json"), `${JSON.stringify(manifest, undefined, 4)}\n`);
}

/**
 * JavaScript and types of modules for users, programs run by Commands, the plugin, and everything they need.
 *
 * Source maps contain the sources, comments too, so the package needs no TypeScript files.
 */
function compile(folder: string): void {
    compileWith(folder, { declaration: true, emitDeclarationOnly: true, stripInternal: true });
    compileWith(folder, { removeComments: true, sourceMap: true, inlineSources: true, noEmitHelpers: true });
    shareHelpers(folder);
    removeUnreachable(folder, Object.values(MODULES), ".d.ts");
    removeUnreachable(folder, [...Object.values(MODULES), ...PROGRAMS, PLUGIN], ".js");
    for (const path of filesIn(folder, ".js.map")) {
        if (!existsSync(path.slice(0, -".map".length))) rmSync(path);
    }
}

/** Loads the compiler's helpers where it uses them, in the first line, so that source maps stay as they are. */
function shareHelpers(folder: string): void {
    for (const path of filesIn(folder, ".js")) {
        const text = readFileSync(path, "utf8");
        const used = ["__importStar", "__importDefault"].filter((name) => text.includes(`${name}(`));
        if (used.length === 0) continue;
        const place = relative(dirname(path), join(folder, IMPORT_HELPERS));
        const from = JSON.stringify(place.startsWith(".") ? place : `./${place}`);
        write(path, text.replace('"use strict";', `"use strict"; const { ${used.join(", ")} } = require(${from});`));
    }
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

/** Source maps name their source next to its JavaScript, instead of in the checkout that it was compiled in. */
function placeSourceMaps(folder: string): void {
    for (const path of filesIn(folder, ".js.map")) {
        // The other fields are optional, and add up.
        const { file, sourceRoot, ...map } = JSON.parse(readFileSync(path, "utf8"));
        write(path, withLines({ ...map, sources: [basename(path).replace(/js\.map$/, "ts")] }));
    }
}

function withLines({ mappings, ...map }: { readonly mappings: string }): string {
    return JSON.stringify({ ...map, names: [], mappings: lineMappings(mappings) });
}

/**
 * Schemas in a package are not read by humans: indentation is a third of them. Pulumi gets that of the plugin, the largest, from
 * its program.
 */
function compactSchemas(folder: string): void {
    for (const path of filesIn(folder, ".json")) {
        write(path, JSON.stringify(JSON.parse(readFileSync(path, "utf8"))));
    }
    const schema = join(folder, "plugin/schema.json");
    write(`${schema}.br`, brotliCompressSync(readFileSync(schema)));
    rmSync(schema);
}

/** All JavaScript; agents' bundles contain their dependencies. */
function javaScript(folder: string): string[] {
    return filesIn(folder, ".js").map((path) => readFileSync(path, "utf8"));
}

/** Paths of all files with this ending. */
function filesIn(folder: string, ending: string): string[] {
    return readdirSync(folder, { withFileTypes: true, recursive: true })
        .filter(({ name }) => name.endsWith(ending))
        .map(({ name, parentPath }) => join(parentPath, name));
}

function write(path: string, text: string | Buffer): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
}

/** The package's own entry point of `tradewind`, one folder below the package root, as this code assumes. */
const CLI = "cli/tradewind";
const PACKAGE = 'require("node:path").dirname(__dirname)';

/** Modules locate files relative to their own path, so each gets its path in the package. */
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

/** Loads modules that the package has already, instead of bundling them again. */
const modulesOf = (folder: string, root: string): Plugin => ({
    name: "modules of the package",
    setup({ onResolve }) {
        onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) => {
            const base = resolve(resolveDir, path);
            const source = [`${base}.ts`, join(base, "index.ts")].find((file) => existsSync(file));
            const compiled = source && relative(root, source).replace(/ts$/, "js");
            if (compiled === undefined || !existsSync(join(folder, compiled))) return undefined;
            const place = relative(dirname(CLI), compiled);
            return { path: place.startsWith(".") ? place : `./${place}`, external: true };
        });
    },
});

/**
 * `tradewind` as a single file that loads the package's dependencies, with its source map.
 *
 * @param folder - of the package, whose modules it loads, too. @default it bundles them
 */
export async function bundledCli(root: string, folder?: string): Promise<{ text: string; map: string }> {
    const { outputFiles } = await build({
        ...programBuild(root, join(root, `${CLI}.ts`)),
        sourcemap: "linked",
        sourcesContent: true,
        packages: "external",
        external: OF_CHECKOUT.map((name) => `./cli/${name}/command`),
        plugins: [...(folder ? [modulesOf(folder, root)] : []), placesInPackage(root)],
        banner: { js: `"use strict"; const packageFolder = ${PACKAGE};` },
    });
    return programFiles(outputFiles);
}

/** Modules for users, by their path in `exports`. */
export const MODULES = { ".": "index", "./ignition": "ignition/index" } as const;

/** Programs run by the components' Commands: components/pulumi/own-program.ts. */
export const PROGRAMS = ["machines/cli", "agents/clean-up/main", "agents/bootstrap-sender/main"] as const;

/** Loaded for programs in other languages, by plugin/main.cjs. */
export const PLUGIN = "plugin/provider";

/** Run by `npx tradewind`; loads the bundle at CLI. */
const BIN = "cli/tradewind.cjs";

const IMPORT_HELPERS = "bundling/import-helpers.cjs";

/** Files and folders that are copied unchanged. */
export const INCLUDED = [
    IMPORT_HELPERS,
    "command-line/end-with.cjs",
    "machines/image",
    "bundling/kept-builds.cjs",
    "bundling/kept-builds.d.cts",
    "plugin/main.cjs",
    "plugin/schema.json",
    "PulumiPlugin.yaml",
    "README.md",
    "LICENSE",
] as const;

/** Fields copied from the checkout's package.json. */
interface Checkout {
    readonly name: string;
    readonly version: string;
    readonly description: string;
    readonly license: string;
    readonly engines: Readonly<Record<string, string>>;
    readonly dependencies: Readonly<Record<string, string>>;
    /** URL of the source. npm requires it to be where a package with provenance was built. */
    readonly repository?: string;
}

/** Files that npm packs whether or not `files` names them. */
const ALWAYS_PACKED = ["package.json", "README.md", "LICENSE"];

/** Only in the checkout: the package contains their output. */
const BUILD_ONLY = ["esbuild"];

/**
 * The package's own package.json.
 *
 * @param required - packages loaded by its files
 * @param files - its top-level files and folders
 * @throws if one of them is not a dependency of the checkout
 */
export function packageManifest(checkout: Checkout, required: readonly string[], files: readonly string[]): object {
    const { name, version, description, license, engines, repository } = checkout;
    const desired = required.filter((each) => !BUILD_ONLY.includes(each)).sort();
    const unknown = desired.filter((each) => !Object.hasOwn(checkout.dependencies, each));
    if (unknown.length > 0) {
        throw new Error(`loaded packages must be dependencies (got ${unknown.join(", ")})`);
    }
    const exported = Object.entries(MODULES).map(([subpath, file]) => [
        subpath,
        { types: `./${file}.d.ts`, default: `./${file}.js` },
    ]);
    return {
        ...{ name, version, description, license, engines },
        ...(repository && {
            repository: { type: "git", url: `git+${repository}.git` },
            homepage: `${repository}#readme`,
            bugs: `${repository}/issues`,
        }),
        keywords: ["kubernetes", "pulumi", "self-hosted", "ignition", ...cloudNames],
        type: "commonjs",
        // Only Pulumi loads the package as a folder, as a plugin: PulumiPlugin.yaml. Everything else uses `exports`.
        main: "./plugin/main.cjs",
        types: `./${MODULES["."]}.d.ts`,
        bin: { [name]: BIN },
        exports: { ...Object.fromEntries(exported), "./package.json": "./package.json" },
        files: files.filter((each) => !ALWAYS_PACKED.includes(each)).sort(),
        dependencies: Object.fromEntries(desired.map((each) => [each, checkout.dependencies[each]])),
    };
}

/** Names of the packages that JavaScript loads, without duplicates. */
export function requiredPackages(texts: readonly string[]): string[] {
    const targets = texts.flatMap((text) => [...text.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, target]) => target!));
    const names = targets
        .filter((target) => !target.startsWith(".") && !isBuiltin(target))
        .map((target) => target.split("/", target.startsWith("@") ? 2 : 1).join("/"));
    return [...new Set(names)];
}

/**
 * Removes files not reachable from others: the compiler emits programs and types of every file that it reads, also those
 * read only for their types.
 *
 * @param modules - the entry points, without an ending
 * @param ending - of programs, or of types
 */
function removeUnreachable(folder: string, modules: readonly string[], ending: ".js" | ".d.ts"): void {
    const reached = new Set<string>();
    const waiting = modules.map((name) => resolve(folder, `${name}${ending}`));
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
        if (reached.has(path)) continue;
        reached.add(path);
        waiting.push(...importsOf(path, ending));
    }
    for (const { name, parentPath } of readdirSync(folder, { withFileTypes: true, recursive: true })) {
        const path = resolve(parentPath, name);
        if (name.endsWith(ending) && !reached.has(path)) rmSync(path);
    }
}

/** Files referenced by `from "./x"`, `import("./x")`, `import "./x"` or `require("./x")`. */
function importsOf(path: string, ending: ".js" | ".d.ts"): string[] {
    const names = [...readFileSync(path, "utf8").matchAll(/(?:from|import|require)\s*\(?\s*["'](\.[^"']*)["']/g)];
    return names.flatMap(([, name = ""]) => {
        const base = join(dirname(path), name);
        const found = [`${base}${ending}`, join(base, `index${ending}`)].find((file) => existsSync(file));
        return found === undefined ? [] : [resolve(found)];
    });
}
