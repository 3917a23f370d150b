import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build, type Plugin as EsbuildPlugin } from "esbuild";
import { cacheDir } from "../artifacts";
import { executable, type Plugin } from "./plugins";

// Tells a stand-in's folder from one that the engine installed.
const MARKER = "stand-in";

export function isStandIn(pluginFolder: string): boolean {
    return existsSync(join(pluginFolder, MARKER));
}

/** Puts our own plugin where the engine looks for the official one. */
export async function installStandIn(plugin: Plugin, pluginFolder: string): Promise<void> {
    const launcher = launcherOf(await bundled(plugin));
    const path = join(pluginFolder, executable(plugin));
    if (existsSync(path) && readFileSync(path, "utf8") === launcher) return;
    mkdirSync(pluginFolder, { recursive: true });
    writeFileSync(
        join(pluginFolder, MARKER),
        "The official plugin could not be downloaded; this one is Tradewind's.\n",
    );
    writeAtomically(path, launcher);
    chmodSync(path, 0o755);
}

/** The shell script that runs a plugin's program, with arguments of ours before the engine's. */
export function launcherOf(program: string, ...args: readonly string[]): string {
    return [
        "#!/bin/sh",
        // Node 22 and newer then start in less time, and so do the programs that they start.
        `export NODE_COMPILE_CACHE="\${NODE_COMPILE_CACHE:-${join(cacheDir(), "plugins", "compiled")}}"`,
        `exec ${[process.execPath, program, ...args].map(quote).join(" ")} "$@"`,
        "",
    ].join("\n");
}

export function removeStandIn(pluginFolder: string): void {
    if (isStandIn(pluginFolder)) rmSync(pluginFolder, { recursive: true });
}

/** One file each, so that a plugin starts quickly and does not change under a running engine. Returns its path. */
export async function bundled(plugin: Pick<Plugin, "folder">, plugins: readonly EsbuildPlugin[] = []): Promise<string> {
    const { outputFiles } = await build({
        entryPoints: [join(__dirname, plugin.folder, "main.ts")],
        bundle: true,
        platform: "node",
        target: "node20",
        format: "cjs",
        minifySyntax: true,
        minifyWhitespace: true,
        plugins: [...plugins],
        write: false,
        logLevel: "error",
    });
    const { contents } = outputFiles[0];
    const loader = readFileSync(join(__dirname, "load-compiled.cjs"));
    const hash = createHash("sha256").update(loader).update(contents).digest("hex").slice(0, 16);
    const path = join(cacheDir(), "plugins", `${plugin.folder}-${hash}.cjs`);
    if (!existsSync(path)) {
        writeAtomically(path.replace(/cjs$/, "js"), contents);
        writeAtomically(path, loader);
    }
    return path;
}

function writeAtomically(path: string, contents: string | Uint8Array): void {
    mkdirSync(dirname(path), { recursive: true });
    const temporary = `${path}.${process.pid}`;
    writeFileSync(temporary, contents);
    renameSync(temporary, path);
}

function quote(word: string): string {
    return `'${word.replaceAll("'", "'\\''")}'`;
}
