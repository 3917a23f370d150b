import { execFile, spawn } from "node:child_process";
import { accessSync, constants, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import type { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { cacheDir } from "../../artifacts";
import { executable, type Plugin, pluginFolder, plugins } from "./list";
import { installStandIn, isOurs, pointTo, removeOurs } from "./stand-in";

interface InstallOptions {
    /** `PULUMI_HOME` of the following runs, one per cluster: another cluster's is never changed. */
    readonly pulumiHome: string;
    /** Path of the Pulumi CLI. */
    readonly pulumi: string;
    /** Names of the required plugins. @default - all of them */
    readonly only?: readonly string[];
    /** Never try to download. @default false */
    readonly offline?: boolean;
    /** Receives one line per plugin. @default standard error */
    readonly print?: (line: string) => void;
}

interface InstalledPlugin {
    readonly name: string;
    readonly version: string;
    readonly source: "official" | "stand-in";
}

/**
 * Makes every plugin that our programs need available in `pulumiHome`: the official one of the right version if it is
 * installed or can be downloaded, otherwise our stand-in. Run the CLI with `PULUMI_IGNORE_AMBIENT_PLUGINS=true`, since
 * the engine uses a plugin on `PATH` whatever its version, and with `PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION=true`
 * if a stand-in is in use.
 */
export async function installPlugins(options: InstallOptions): Promise<InstalledPlugin[]> {
    const { pulumiHome, pulumi, only, offline = false, print = console.error } = options;
    const installed: InstalledPlugin[] = [];
    for (const plugin of plugins().filter(({ name }) => only?.includes(name) ?? true)) {
        const { name, version } = plugin;
        const folder = pluginFolder(pulumiHome, plugin);
        const official =
            (await findOfficial(plugin, pulumiHome, pulumi, print)) ??
            (offline ? undefined : await tryDownload(plugin, pulumi));
        if (official === undefined) await installStandIn(plugin, folder);
        else if (official.isFound) removeOurs(folder);
        else pointTo(official.path, plugin, folder);
        installed.push({ name, version, source: official ? "official" : "stand-in" });
        print(`plugin ${name} ${version}: ${official ? "official" : `stand-in (${reason(plugin, offline)})`}`);
    }
    return installed;
}

async function tryDownload(plugin: Plugin, pulumi: string): Promise<Official | undefined> {
    // Language hosts only come with the CLI.
    if (plugin.kind === "language" || isKnownUnreachable()) return undefined;
    const official = await download(plugin, pulumi);
    rememberUnreachable(official === undefined);
    return official;
}

function reason({ kind }: Plugin, offline: boolean): string {
    if (kind === "language") return "this CLI does not include the official one";
    return offline ? "downloads are disabled" : "the official one could not be downloaded";
}

// A machine that is offline today may be online tomorrow.
const REMEMBER_MILLISECONDS = 24 * 3_600_000;
const DOWNLOAD_MILLISECONDS = 5 * 60_000;
// The CLI tries six times over ten seconds; stop after the second failure.
const REFUSALS = 2;

/** An official plugin that exists. */
interface Official {
    /** Path of its executable. */
    readonly path: string;
    /** Whether the engine finds it on its own. */
    readonly isFound: boolean;
}

/**
 * An official plugin of the right version, installed by the user or downloaded earlier.
 *
 * @param print - receives a line about each one of another version
 */
async function findOfficial(
    plugin: Plugin,
    pulumiHome: string,
    pulumi: string,
    print: (line: string) => void,
): Promise<Official | undefined> {
    const program = executable(plugin);
    // The CLI's own plugin has its version.
    const nextToCli = join(dirname(realpathSync(pulumi)), program);
    if (plugin.kind === "language" && isExecutable(nextToCli)) return { path: nextToCli, isFound: true };
    const own = pluginFolder(pulumiHome, plugin);
    if (isExecutable(join(own, program)) && !isOurs(own)) return { path: join(own, program), isFound: true };
    for (const folder of (process.env.PATH ?? "").split(delimiter).filter(Boolean)) {
        const path = join(folder, program);
        if (!isExecutable(path)) continue;
        const version = await pluginVersion(path, plugin.kind);
        if (version === plugin.version) return { path, isFound: false };
        print(`plugin ${plugin.name}: ignoring ${path}: it must be ${plugin.version}, is ${version ?? "unknown"}`);
    }
    return downloads()
        .map((home) => pluginFolder(home, plugin))
        .filter((folder) => !isOurs(folder) && isExecutable(join(folder, program)))
        .map((folder) => ({ path: join(folder, program), isFound: false }))[0];
}

/** Homes with downloaded plugins: all clusters share them, each version has a folder, and nothing is removed. */
function downloads(): string[] {
    // The second is from before each cluster had its own home.
    return [downloadHome(), join(cacheDir(), "pulumi-home")];
}

function downloadHome(): string {
    return join(cacheDir(), "plugins", "official");
}

/** Makes the CLI download a plugin; undefined if that fails. */
async function download(plugin: Plugin, pulumi: string): Promise<Official | undefined> {
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

/** Whether a download failed within the last day. */
function isKnownUnreachable(now = Date.now()): boolean {
    try {
        return now - Number(readFileSync(recordPath(), "utf8")) < REMEMBER_MILLISECONDS;
    } catch {
        return false;
    }
}

function rememberUnreachable(isUnreachable: boolean): void {
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

// Not imported: the bundled command would include all of gRPC, for the few runs that find a plugin on PATH.
const load = createRequire(__filename);

const ANSWER_MILLISECONDS = 10_000;

/** Plugins connect to their engine when they log something. */
const NO_ENGINE = "127.0.0.1:1";

/** The version that a plugin's program reports, without the `v`; undefined if it reports none within ten seconds. */
async function pluginVersion(path: string, kind: Plugin["kind"]): Promise<string | undefined> {
    const child = spawn(path, [NO_ENGINE], { stdio: ["ignore", "pipe", "ignore"] });
    const deadline = AbortSignal.timeout(ANSWER_MILLISECONDS);
    try {
        const port = await new Promise<number>((resolve, reject) => {
            child.on("error", reject);
            child.on("close", () => reject(new Error("it exited")));
            deadline.addEventListener("abort", () => reject(new Error("no output")));
            createInterface({ input: child.stdout }).once("line", (line) => resolve(Number(line)));
        });
        return (await infoAt(`127.0.0.1:${port}`, kind)).getVersion().replace(/^v/, "") || undefined;
    } catch {
        return undefined;
    } finally {
        child.kill("SIGKILL");
    }
}

function infoAt(address: string, kind: Plugin["kind"]): Promise<PluginInfo> {
    const { credentials } = load("@grpc/grpc-js") as typeof import("@grpc/grpc-js");
    const { Empty } = load(
        "google-protobuf/google/protobuf/empty_pb.js",
    ) as typeof import("google-protobuf/google/protobuf/empty_pb");
    const client = new (clientOf(kind))(address, credentials.createInsecure());
    return new Promise<PluginInfo>((resolve, reject) => {
        client.getPluginInfo(
            new Empty(),
            { deadline: Date.now() + ANSWER_MILLISECONDS } as never,
            (error: Error | null, info: PluginInfo) => (error ? reject(error) : resolve(info)),
        );
    }).finally(() => client.close());
}

function clientOf(kind: Plugin["kind"]) {
    if (kind !== "language") {
        const provider = load("@pulumi/pulumi/proto/provider_grpc_pb");
        return (provider as typeof import("@pulumi/pulumi/proto/provider_grpc_pb")).ResourceProviderClient;
    }
    const language = load("@pulumi/pulumi/proto/language_grpc_pb");
    return (language as typeof import("@pulumi/pulumi/proto/language_grpc_pb")).LanguageRuntimeClient;
}
