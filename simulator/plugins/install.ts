import { execFile, spawn } from "node:child_process";
import { accessSync, constants, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import type { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { cacheDir } from "../../cache";
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
    /** Fail if an official provider can neither be found nor downloaded: for stacks in a real account. @default false */
    readonly requireOfficial?: boolean;
    /** The official site, by which a machine without internet is recognized. @default https://get.pulumi.com */
    readonly site?: string;
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
 * installed or can be downloaded, otherwise our stand-in, but only if the official site is unreachable: any other
 * failure of a download is an error. Run the CLI with `PULUMI_IGNORE_AMBIENT_PLUGINS=true`, since
 * the engine uses a plugin on `PATH` whatever its version, and with `PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION=true`
 * if a stand-in is in use.
 */
export async function installPlugins(options: InstallOptions): Promise<InstalledPlugin[]> {
    const { pulumiHome, pulumi, only, offline = false, print = console.error } = options;
    const installed: InstalledPlugin[] = [];
    for (const plugin of plugins().filter(({ name }) => only?.includes(name) ?? true)) {
        const { name, version } = plugin;
        const folder = pluginFolder(pulumiHome, plugin);
        const found = await findOfficial(plugin, pulumiHome, pulumi, print);
        const official = found ?? (offline ? "downloads are disabled" : await fetchOfficial(plugin, options));
        if (typeof official === "string") await installStandIn(plugin, folder);
        else if (official.isFound) removeOurs(folder);
        else pointTo(official.path, plugin, folder);
        const isStandIn = typeof official === "string";
        installed.push({ name, version, source: isStandIn ? "stand-in" : "official" });
        print(`plugin ${name} ${version}: ${isStandIn ? `stand-in (${reason(plugin, official)})` : "official"}`);
    }
    return installed;
}

/**
 * Downloads a plugin.
 *
 * @returns why there is only the stand-in, if there is
 * @throws Error with the CLI's message if the download failed although the official site is reachable
 */
async function fetchOfficial(
    plugin: Plugin,
    { pulumi, requireOfficial: isRequired = false, site = SITE }: InstallOptions,
): Promise<Official | string> {
    // Language hosts only come with the CLI.
    if (plugin.kind === "language") return "";
    const since = isRequired ? undefined : unreachableSince();
    if (since !== undefined) {
        return `${site} was unreachable at ${new Date(since).toISOString()}; remove ${recordPath()} to try again`;
    }
    const official = await download(plugin, pulumi);
    rmSync(recordPath(), { force: true });
    if (typeof official !== "string") return official;
    if (isRequired || (await isReachable(site))) {
        const again = isRequired ? "" : "; run the same command again";
        throw new Error(`the plugin ${plugin.name} ${plugin.version} could not be downloaded${again}:\n${official}`);
    }
    rememberUnreachable();
    return `${site} is unreachable`;
}

function reason({ kind }: Plugin, problem: string): string {
    return kind === "language" ? "this CLI does not include the official one" : problem;
}

/** Where the CLI downloads official providers. */
const SITE = "https://get.pulumi.com";
const PROBE_MILLISECONDS = 10_000;

/** Behind a proxy, only the CLI itself can tell: its failure is then an error. */
async function isReachable(site: string): Promise<boolean> {
    if (["HTTPS_PROXY", "ALL_PROXY"].some((name) => process.env[name] || process.env[name.toLowerCase()])) return true;
    try {
        await fetch(site, { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(PROBE_MILLISECONDS) });
        return true;
    } catch {
        return false;
    }
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

/** Makes the CLI download a plugin. @returns the last lines of its output if that fails */
async function download(plugin: Plugin, pulumi: string): Promise<Official | string> {
    const { kind, name, version } = plugin;
    const problem = await new Promise<string | undefined>((resolve) => {
        const env = { ...process.env, PULUMI_HOME: downloadHome(), PULUMI_SKIP_UPDATE_CHECK: "true" };
        const options = { env, timeout: DOWNLOAD_MILLISECONDS };
        let refusals = 0;
        const began = performance.now();
        const child = execFile(pulumi, ["plugin", "install", kind, name, version], options, (error, _, output) => {
            const isLate = performance.now() - began >= DOWNLOAD_MILLISECONDS;
            const late = isLate ? [`it took more than ${DOWNLOAD_MILLISECONDS / 60_000} minutes`] : [];
            const lines = [...output.trim().split("\n").slice(-LINES), ...late].filter(Boolean);
            resolve(error ? lines.join("\n") || error.message : undefined);
        });
        child.stderr?.on("data", (text: string) => {
            refusals += text.split("Error downloading plugin").length - 1;
            if (refusals >= REFUSALS) child.kill();
        });
    });
    const path = join(pluginFolder(downloadHome(), plugin), executable(plugin));
    if (problem !== undefined) return problem;
    return isExecutable(path) ? { path, isFound: false } : `the CLI installed no ${path}`;
}

/** Lines of the CLI's output in an error. */
const LINES = 10;

/** When the site was unreachable, if within the last day: milliseconds since 1970. */
function unreachableSince(now = Date.now()): number | undefined {
    try {
        const since = Number(readFileSync(recordPath(), "utf8"));
        return now - since < REMEMBER_MILLISECONDS ? since : undefined;
    } catch {
        return undefined;
    }
}

function rememberUnreachable(): void {
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
