import { execFile } from "node:child_process";
import { accessSync, constants, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { cacheDir } from "../artifacts";
import { pluginVersion } from "./plugin-version";
import { executable, type Plugin, pluginFolder } from "./plugins";
import { isOurs } from "./stand-in";

// A machine that is offline today may be online tomorrow.
const REMEMBER_MILLISECONDS = 24 * 3_600_000;
const DOWNLOAD_MILLISECONDS = 5 * 60_000;
// The CLI tries six times over ten seconds; the second refusal is answer enough.
const REFUSALS = 2;

/** An official plugin that exists. */
export interface Official {
    /** Of its executable. */
    readonly path: string;
    /** Whether the engine finds it without our help. */
    readonly isFound: boolean;
}

/**
 * An official plugin of the right version, which the person has, or which was downloaded before.
 *
 * @param print - is told of those of another version
 */
export async function findOfficial(
    plugin: Plugin,
    pulumiHome: string,
    pulumi: string,
    print: (line: string) => void,
): Promise<Official | undefined> {
    const program = executable(plugin);
    // The CLI's own has its version.
    const besideCli = join(dirname(realpathSync(pulumi)), program);
    if (plugin.kind === "language" && isExecutable(besideCli)) return { path: besideCli, isFound: true };
    const own = pluginFolder(pulumiHome, plugin);
    if (isExecutable(join(own, program)) && !isOurs(own)) return { path: join(own, program), isFound: true };
    for (const folder of (process.env.PATH ?? "").split(delimiter).filter(Boolean)) {
        const path = join(folder, program);
        if (!isExecutable(path)) continue;
        const version = await pluginVersion(path, plugin.kind);
        if (version === plugin.version) return { path, isFound: false };
        print(`plugin ${plugin.name}: ${path} is not used: it must be ${plugin.version}, is ${version ?? "unknown"}`);
    }
    return downloads()
        .map((home) => pluginFolder(home, plugin))
        .filter((folder) => !isOurs(folder) && isExecutable(join(folder, program)))
        .map((folder) => ({ path: join(folder, program), isFound: false }))[0];
}

/** Homes with plugins that were downloaded: all clusters use them, each version has a folder, and nothing is removed. */
function downloads(): string[] {
    // The second is where they went when all clusters had one home.
    return [downloadHome(), join(cacheDir(), "pulumi-home")];
}

function downloadHome(): string {
    return join(cacheDir(), "plugins", "official");
}

/** Lets the CLI download a plugin; undefined when that fails. */
export async function download(plugin: Plugin, pulumi: string): Promise<Official | undefined> {
    const { kind, name, version } = plugin;
    const isDownloaded = await new Promise<boolean>((resolve) => {
        const env = { ...process.env, PULUMI_HOME: downloadHome(), PULUMI_SKIP_UPDATE_CHECK: "true" };
        const options = { env, timeout: DOWNLOAD_MILLISECONDS };
        const child = execFile(pulumi, ["plugin", "install", kind, name, version], options, (error) => resolve(!error));
        let refusals = 0;
        child.stderr?.on("data", (text: string) => {
            refusals += text.split("Error downloading plugin").length - 1;
            if (refusals >= REFUSALS) child.kill();
        });
    });
    const path = join(pluginFolder(downloadHome(), plugin), executable(plugin));
    return isDownloaded && isExecutable(path) ? { path, isFound: false } : undefined;
}

/** Whether downloads were found to be impossible within the last day. */
export function isKnownUnreachable(now = Date.now()): boolean {
    try {
        return now - Number(readFileSync(recordPath(), "utf8")) < REMEMBER_MILLISECONDS;
    } catch {
        return false;
    }
}

export function rememberUnreachable(isUnreachable: boolean): void {
    rmSync(recordPath(), { force: true });
    if (!isUnreachable) return;
    mkdirSync(dirname(recordPath()), { recursive: true });
    writeFileSync(recordPath(), String(Date.now()));
}

function recordPath(): string {
    return join(cacheDir(), "plugins", "unreachable");
}

function isExecutable(path: string): boolean {
    try {
        accessSync(path, constants.X_OK);
        return true;
    } catch {
        return false;
    }
}
