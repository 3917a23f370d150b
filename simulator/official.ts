import { execFile } from "node:child_process";
import { accessSync, constants, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { cacheDir } from "../artifacts";
import { executable, type Plugin } from "./plugins";
import { isStandIn } from "./stand-in";

// A machine that is offline today may be online tomorrow.
const REMEMBER_MILLISECONDS = 24 * 3_600_000;
const DOWNLOAD_MILLISECONDS = 5 * 60_000;
// The CLI tries six times over ten seconds; the second refusal is answer enough.
const REFUSALS = 2;

/** Where the engine would find an official plugin that is there already. */
export function findOfficial(plugin: Plugin, pluginFolder: string, pulumi: string): string | undefined {
    const onPath = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
    const besideCli = plugin.kind === "language" ? [dirname(realpathSync(pulumi))] : [];
    const inHome = isStandIn(pluginFolder) ? [] : [pluginFolder];
    return [...onPath, ...besideCli, ...inHome]
        .map((folder) => join(folder, executable(plugin)))
        .find((path) => isExecutable(path));
}

/** Lets the CLI download a plugin; `false` when it cannot be had. */
export async function download(plugin: Plugin, pulumiHome: string, pulumi: string): Promise<boolean> {
    const { kind, name, version } = plugin;
    return new Promise((resolve) => {
        const env = { ...process.env, PULUMI_HOME: pulumiHome, PULUMI_SKIP_UPDATE_CHECK: "true" };
        const options = { env, timeout: DOWNLOAD_MILLISECONDS };
        const child = execFile(pulumi, ["plugin", "install", kind, name, version], options, (error) => resolve(!error));
        let refusals = 0;
        child.stderr?.on("data", (text: string) => {
            refusals += text.split("Error downloading plugin").length - 1;
            if (refusals >= REFUSALS) child.kill();
        });
    });
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
