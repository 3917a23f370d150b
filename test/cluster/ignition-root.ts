import { execFile } from "node:child_process";
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { cacheDir } from "../../cache";
import { type Config, config, render } from "../../ignition";
import { dataUrl } from "../../ignition/data-url";
import { versions } from "../../versions";

export const binary = join(cacheDir(), "bin/ignition", versions.ignition, "ignition");

/** A path on a machine: its kind, its permission bits and owner, its contents or target. */
export type Tree = Record<string, string>;

/** Runs Ignition's files stage on a root, merging several configs itself. Returns the result. */
export async function apply(root: string, configs: Config[]): Promise<Tree> {
    const scratch = `${root}.run`;
    mkdirSync(root, { recursive: true });
    mkdirSync(scratch, { recursive: true });
    const parts = configs.map((part) => ({ source: dataUrl(render(part)) }));
    const whole =
        configs.length === 1 ? configs[0]! : { ...config(), ignition: { version: "3.5.0", config: { merge: parts } } };
    const input = join(scratch, "config.ign");
    writeFileSync(input, render(whole));
    const options = { config: "config-cache", state: "state-file", neednet: "neednet" };
    const files = Object.entries(options).map(([name, option]) => `--${option}=${join(scratch, name)}`);
    try {
        for (const stage of ["fetch", "files"]) {
            const parameters = ["--platform=file", `--root=${root}`, `--stage=${stage}`, "--log-to-stdout", ...files];
            await run(binary, parameters, { IGNITION_CONFIG_FILE: input, PATH: process.env.PATH });
        }
    } finally {
        rmSync(scratch, { recursive: true });
    }
    // Ignition's record of when it ran.
    const { "/etc/.ignition-result.json": _, ...tree } = treeOf(root);
    return tree;
}

async function run(command: string, parameters: string[], env: NodeJS.ProcessEnv): Promise<void> {
    try {
        await promisify(execFile)(command, parameters, { env, timeout: 60_000 });
    } catch (error) {
        throw new Error(`${parameters.join(" ")}: ${(error as { stdout?: string }).stdout ?? error}`);
    }
}

function treeOf(root: string, folder = ""): Tree {
    return Object.assign(
        {},
        ...readdirSync(join(root, folder)).map((name): Tree => {
            const path = `${folder}/${name}`;
            const { mode, uid, gid } = lstatSync(join(root, path));
            const about = `${(mode & 0o7777).toString(8).padStart(4, "0")} ${uid}:${gid}`;
            switch (mode & 0o170000) {
                case 0o120000:
                    return { [path]: `link ${readlinkSync(join(root, path))}` };
                case 0o040000:
                    return { [path]: `directory ${about}`, ...treeOf(root, path) };
                default:
                    return { [path]: `file ${about} ${readFileSync(join(root, path), "utf8")}` };
            }
        }),
    );
}

export function pick(tree: Tree, ...paths: string[]): Tree {
    return Object.fromEntries(paths.map((path) => [path, tree[path]!]));
}
