import { chmod, copyFile, cp, lstat, mkdir, readdir, readlink, symlink, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { run } from "./command";
import { expand } from "./download";

/** What one layer of an image holds; paths are absolute in the image. */
export interface Layer {
    /** Programs and plugins of the Debian root with every library they need; a folder stands for all in it. @default [] */
    readonly programs?: readonly string[];
    /** Other files and folders of the Debian root. @default [] */
    readonly paths?: readonly string[];
    /** Path to the file of the cache that is put there as a program. @default {} */
    readonly binaries?: Readonly<Record<string, string>>;
    /** Path to text. @default {} */
    readonly texts?: Readonly<Record<string, string>>;
    /** Path of a symbolic link to what it names. @default {} */
    readonly links?: Readonly<Record<string, string>>;
    /** Empty folders that everybody may write to. @default [] */
    readonly openFolders?: readonly string[];
}

/** Where a layer's contents come from. */
export interface LayerSources {
    readonly cachePath: (place: string) => string;
    readonly debianRoot: () => Promise<string>;
}

/** Lays out a layer in an empty folder and archives it: the same contents, the same bytes. */
export async function archiveLayer(layer: Layer, folder: string, target: string, sources: LayerSources): Promise<void> {
    for (const [path, text] of Object.entries(layer.texts ?? {})) {
        await makeParent(join(folder, path));
        await writeFile(join(folder, path), text);
    }
    for (const [path, to] of Object.entries(layer.links ?? {})) {
        await makeParent(join(folder, path));
        await symlink(to, join(folder, path));
    }
    for (const [path, place] of Object.entries(layer.binaries ?? {})) {
        await makeParent(join(folder, path));
        await copyFile(sources.cachePath(place), join(folder, path));
        await chmod(join(folder, path), 0o755);
    }
    if (layer.programs || layer.paths) {
        await takeFromDebian(layer, folder, await sources.debianRoot());
    }
    // Whatever this process's umask is.
    await run("chmod", ["-R", "go+rX,go-w", folder]);
    for (const path of layer.openFolders ?? []) {
        await mkdir(join(folder, path), { recursive: true });
        await chmod(join(folder, path), 0o1777);
    }
    const same = ["--sort=name", "--mtime=@1", "--owner=0", "--group=0", "--numeric-owner"];
    await run("tar", [...same, "-C", folder, "-cf", target, "."]);
}

async function takeFromDebian({ programs = [], paths = [] }: Layer, folder: string, root: string): Promise<void> {
    const desired = paths.map((path) => expand(path));
    for (const path of programs.map((program) => expand(program))) {
        const inRoot = join(root, path);
        const isFolder = (await lstat(inRoot)).isDirectory();
        const files = isFolder ? (await readdir(inRoot)).map((name) => join(path, name)) : [path];
        desired.push(...files, ...(await librariesOf(files, root)));
    }
    for (const path of new Set(desired)) {
        await takePath(path, folder, root);
    }
}

/** The shared libraries that the dynamic loader finds for these files, loader included. */
async function librariesOf(files: readonly string[], root: string): Promise<string[]> {
    const listing = await run("chroot", [root, "sh", "-c", 'for file; do ldd "$file" || :; done', "sh", ...files]);
    const found = listing.matchAll(/(?:=> |^\s)(\/\S+) \(0x/gm);
    return [...new Set([...found].flatMap(([, path]) => path ?? []))];
}

/** Copies a path as it is and, if it is a symbolic link, what it leads to as well. */
async function takePath(path: string, folder: string, root: string): Promise<void> {
    const place = path.replace(/^\/(bin|sbin|lib|lib64)\//, "/usr/$1/");
    const from = join(root, place);
    const to = join(folder, place);
    await makeParent(to);
    if ((await lstat(from)).isSymbolicLink()) {
        const link = await readlink(from);
        await symlink(link, to).catch(ignoreExisting);
        await takePath(resolve(dirname(place), link), folder, root);
    } else {
        await cp(from, to, { recursive: true, verbatimSymlinks: true });
    }
}

async function makeParent(path: string): Promise<void> {
    await mkdir(dirname(path), { recursive: true });
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
    if (error.code !== "EEXIST") {
        throw error;
    }
}
