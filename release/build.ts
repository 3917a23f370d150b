import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { transformSync } from "esbuild";
import { buildAgent } from "../agents/bundle";
import { bundledCli, CLI } from "./cli";
import { agentNames, BESIDE, BIN, MODULES, PLUGIN, PROGRAMS } from "./contents";
import { licenceNotices, packageFolders } from "./licences";
import { packageManifest, requiredPackages } from "./manifest";
import { removeUnreachableTypes } from "./types";

const ROOT = resolve(__dirname, "..");

/** Makes the npm package in a folder, in the place of what is there. */
export async function buildPackage(folder: string): Promise<void> {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    compile(folder);
    compactPrograms(folder);
    const inputs = agentNames(ROOT).flatMap((name) => {
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
