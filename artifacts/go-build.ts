import { cp, mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runInBuilder } from "./builder";
import { run } from "./command";
import { platform } from "./download";
import type { Workshop } from "./item";
import type { GoBuild, RenamedModule, Tool } from "./part";

export const GO: Tool = { command: "go", package: "golang-go" };

export const C_COMPILER: readonly Tool[] = [
    { command: "gcc", package: "gcc" },
    { command: "/usr/include/stdlib.h", package: "libc6-dev" },
];

/** Builds one binary of a pinned module for this machine's processor. */
export async function goBuild(build: GoBuild, binary: string, target: string): Promise<void> {
    const { folder, renamed } = build;
    const cwd = renamed ? await folderWith(renamed, goFolder(folder), `${target}.build`) : goFolder(folder);
    const { args, env } = goCommand(build, binary, target);
    await run("go", args, { cwd, env });
}

/** The same in a container, from its copy of the folder, as Go may write to it; the binary gets its own name. */
export async function goBuildInContainer(build: GoBuild, binary: string, workshop: Workshop): Promise<void> {
    const { args, env } = goCommand(build, binary, `/out/${binary}`);
    const packages = (build.tools ?? []).map((tool) => tool.package);
    const script = 'cp -r /source /tmp/source; cd /tmp/source; exported=$1; shift; env $exported go "$@"';
    const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const parameters = [settings.join(" "), ...args];
    await runInBuilder({ packages, script, arguments: parameters, source: goFolder(build.folder) }, workshop);
}

function goCommand({ binaries, tests = [], tags = [], ldflags = [], cgo }: GoBuild, binary: string, target: string) {
    const linker = ["-s -w", ...ldflags, ...(cgo === "static" ? ["-extldflags -static"] : [])].join(" ");
    // The linker omits debugging information; not generating it saves a seventh of the compiler's time.
    const compiler = "all=-dwarf=false";
    const flags = ["-trimpath", "-buildvcs=false", "-tags", tags.join(","), "-gcflags", compiler, "-ldflags", linker];
    // Vetting them takes longer than compiling.
    const command = tests.includes(binary) ? ["test", "-c", "-vet=off"] : ["build"];
    const env = { CGO_ENABLED: cgo ? "1" : "0", GOOS: "linux", GOARCH: platform().arch };
    return { args: [...command, ...flags, "-o", target, binaries[binary]!], env };
}

/** The folder with a part's go.mod and go.sum. */
export function goFolder(folder: string): string {
    return join(__dirname, "go", folder);
}

/** The unpacked source of a module that the go.mod in a folder pins, verified by go.sum's checksum. */
export async function moduleSource(cwd: string, module: string): Promise<string> {
    return JSON.parse(await run("go", ["mod", "download", "-json", module], { cwd })).Dir;
}

/**
 * A folder with go.mod and go.sum, and next to them the module, with the API's version renamed to the one the build
 * uses.
 */
async function folderWith(
    { module, folder, from, to, added }: RenamedModule,
    source: string,
    target: string,
): Promise<string> {
    const copied = { "go.mod": "go.mod", "go.sum": "go.sum" };
    await mkdir(target, { recursive: true });
    await copy(copied, source, target);
    const inside = join(target, folder);
    await cp(await moduleSource(target, module), inside, { recursive: true });
    await run("chmod", ["-R", "u+w", inside]);
    await renameIn(inside, (text) => renamed(text, module.split("@")[0]!, from, to), { from, to });
    await copy(added, source, inside);
    return target;
}

async function copy(files: Readonly<Record<string, string>>, source: string, target: string): Promise<void> {
    for (const [name, place] of Object.entries(files)) {
        await writeFile(join(target, place), await readFile(join(source, name)));
    }
}

async function renameIn(
    folder: string,
    change: (text: string) => string,
    { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) {
            await renameIn(path, change, { from, to });
            if (entry.name === from) await rename(path, join(folder, to));
        } else if (entry.name.endsWith(".go")) {
            await writeFile(path, change(await readFile(path, "utf8")));
        }
    }
}

/**
 * Renames a package in the text of a Go file. Import aliases stay: another package may have the new name.
 *
 * @param module - path of the module whose packages are renamed
 */
export function renamed(text: string, module: string, from: string, to: string): string {
    const below = new RegExp(`("${module}/[^"\\n]*)/${from}/`, "g");
    const imported = new RegExp(`^(\\s*)((?:\\w+ )?)"(${module}/[^"\\n]*)/${from}"$`, "gm");
    return text
        .replaceAll(imported, (_, indent, name, path) => `${indent}${name || `${from} `}"${path}/${to}"`)
        .replaceAll(below, `$1/${to}/`)
        .replaceAll(new RegExp(`^package ${from}$`, "gm"), `package ${to}`)
        .replaceAll(`"${from}"`, `"${to}"`)
        .replaceAll(capital(from), capital(to));
}

function capital(text: string): string {
    return text.charAt(0).toUpperCase() + text.slice(1);
}
