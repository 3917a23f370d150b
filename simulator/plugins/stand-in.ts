import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Plugin as EsbuildPlugin } from "esbuild";
import { type Build, keep, kept } from "../../bundling/kept-builds.cjs";
import { cacheDir } from "../../cache";
import { executable, type Plugin } from "./list";

// Distinguishes a folder that we created from one that the engine installed.
const MARKER = "stand-in";

/** Whether a plugin's folder contains a stand-in or launcher of ours. */
export function isOurs(folder: string): boolean {
    return existsSync(join(folder, MARKER));
}

/** Installs our own plugin where the engine looks for the official one. */
export async function installStandIn(plugin: Plugin, folder: string): Promise<void> {
    const note = "The official plugin could not be downloaded; this one is Tradewind's.\n";
    place(plugin, folder, launcherOf(await bundled(plugin)), note);
}

/** Installs a launcher of an official plugin where the engine looks for it. */
export function pointTo(official: string, plugin: Plugin, folder: string): void {
    place(plugin, folder, `#!/bin/sh\nexec ${quote(official)} "$@"\n`, `The official plugin is ${official}.\n`);
}

function place(plugin: Plugin, folder: string, launcher: string, note: string): void {
    const path = join(folder, executable(plugin));
    if (existsSync(path) && readFileSync(path, "utf8") === launcher) return;
    // Written first: a folder without it counts as an installed plugin.
    writeAtomically(join(folder, MARKER), note);
    writeAtomically(path, launcher, 0o755);
}

/** Removes a plugin's folder if it is ours. */
export function removeOurs(folder: string): void {
    if (isOurs(folder)) rmSync(folder, { recursive: true });
}

/** The shell script that runs a plugin's program, with our arguments before the engine's. */
export function launcherOf(program: string, ...args: readonly string[]): string {
    return [
        "#!/bin/sh",
        // Makes Node 22 and newer start faster, including child processes.
        `export NODE_COMPILE_CACHE="\${NODE_COMPILE_CACHE:-${join(cacheDir(), "plugins", "compiled")}}"`,
        `exec ${[process.execPath, program, ...args].map(quote).join(" ")} "$@"`,
        "",
    ].join("\n");
}

/** One file each, so that a plugin starts quickly and does not change while an engine uses it. Returns its path. */
export async function bundled(plugin: Pick<Plugin, "folder">, plugins: readonly EsbuildPlugin[] = []): Promise<string> {
    const name = plugin.folder.replaceAll("/", "-");
    const { text } = plugins.length > 0 ? await built(plugin.folder, plugins) : await keptOrBuilt(plugin.folder, name);
    const hash = createHash("sha256").update(text).digest("hex").slice(0, 16);
    const path = join(cacheDir(), "plugins", `${name}-${hash}.cjs`);
    if (!existsSync(path)) writeAtomically(path, text);
    return path;
}

async function keptOrBuilt(folder: string, name: string): Promise<{ readonly text: string }> {
    return kept(`plugin-${name}`) ?? keep(`plugin-${name}`, await built(folder, []));
}

async function built(folder: string, plugins: readonly EsbuildPlugin[]): Promise<Build> {
    // Loaded lazily: every `npm start` gets here.
    const { build } = require("esbuild") as typeof import("esbuild");
    const {
        outputFiles: [output],
        metafile,
    } = await build({
        entryPoints: [join(__dirname, "..", folder, "main.ts")],
        bundle: true,
        platform: "node",
        target: "node20",
        format: "cjs",
        minifySyntax: true,
        minifyWhitespace: true,
        plugins: [...plugins],
        write: false,
        metafile: true,
        logLevel: "error",
    });
    if (!output) throw new Error(`esbuild wrote no bundle of ${folder}`);
    const inputs = Object.keys(metafile.inputs).map((path) => resolve(path));
    return { text: output.text, inputs: [...inputs, __filename, require.resolve("esbuild/package.json")] };
}

function writeAtomically(path: string, contents: string | Uint8Array, mode = 0o644): void {
    mkdirSync(dirname(path), { recursive: true });
    const temporary = `${path}.${process.pid}`;
    writeFileSync(temporary, contents, { mode });
    renameSync(temporary, path);
}

function quote(word: string): string {
    return `'${word.replaceAll("'", "'\\''")}'`;
}
