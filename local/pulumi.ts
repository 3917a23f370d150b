import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { binaryPlace, cacheDir } from "../cache";
import { simulatedAccount } from "../clients/simulated-account";
import { handOnInterrupts, Interrupted } from "../command-line/interrupt";
import { versions } from "../versions";
import { directTo, machineCidrIn } from "./direct";
import type { ClusterState } from "./state";

/** The checkout, which is the Pulumi project. */
export const PROJECT_DIR = resolve(__dirname, "..");

/** The cached CLI, so that every run of a checkout uses the same version. */
export function pulumiCli(): string {
    return join(cacheDir(), binaryPlace({ name: "pulumi", version: versions.pulumi }, "pulumi"));
}

/** The `PULUMI_HOME` of runs without a cluster, separate from the user's own logins. */
export function sharedPulumiHome(): string {
    return join(cacheDir(), "pulumi-home");
}

/** A cluster's own `PULUMI_HOME`, independent of plugins that other clusters and checkouts use. */
export function ownPulumiHome({ dir }: ClusterState): string {
    return join(dir, "pulumi-home");
}

/** Where Pulumi finds plugins of simulated clouds, in runs that use them; real cloud plugins are never here. */
function simulatedClouds(env: NodeJS.ProcessEnv): string[] {
    return simulatedAccount(env) === undefined ? [] : [join(PROJECT_DIR, "simulator/clouds/bin")];
}

/** Makes names of a simulated cloud resolvable in programs started by Pulumi, in runs that use one. */
function nodeOptions(env: NodeJS.ProcessEnv): { NODE_OPTIONS?: string } {
    if (simulatedAccount(env) === undefined) return {};
    const resolver = `--require="${join(PROJECT_DIR, "simulator/clouds/bin/resolve-names.cjs")}"`;
    return { NODE_OPTIONS: [env.NODE_OPTIONS, resolver].filter(Boolean).join(" ") };
}

/**
 * Whether a command destroys a whole stack. Only then may resources of an unreachable cluster be dropped: a refresh would
 * empty the state of a cluster whose machines are off.
 */
function isDestroy(args: readonly string[]): boolean {
    const command = args.find((arg) => !arg.startsWith("-"));
    const isPart = args.some((arg) => /^(--target|--exclude|-t$)/.test(arg));
    return ["destroy", "down", "dn"].includes(command ?? "") && !isPart;
}

/** Environment that limits the Pulumi CLI to a local cluster's stack. @param args - of the CLI */
export function pulumiEnv(
    state: ClusterState,
    args: readonly string[] = [],
    base: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
    const { PULUMI_CONFIG_PASSPHRASE, PULUMI_ACCESS_TOKEN, ...inherited } = base;
    const { PULUMI_IGNORE_AMBIENT_PLUGINS: ignoreAmbient = "true" } = base;
    return {
        ...inherited,
        // Plugins start `node`: it must be the current one.
        PATH: [...simulatedClouds(base), dirname(pulumiCli()), dirname(process.execPath), base.PATH]
            .filter(Boolean)
            .join(delimiter),
        ...nodeOptions(base),
        ...directTo(base, machineCidrIn(state.config)),
        PULUMI_HOME: existsSync(ownPulumiHome(state)) ? ownPulumiHome(state) : sharedPulumiHome(),
        // Pulumi would use a plugin on PATH regardless of its version. Plugins of simulated clouds are on PATH.
        ...(simulatedAccount(base) === undefined && { PULUMI_IGNORE_AMBIENT_PLUGINS: ignoreAmbient }),
        // No metadata sidecar files: they are not written atomically, and an empty one hides the stack.
        PULUMI_BACKEND_URL: `file://${state.backend}?metadata=skip`,
        PULUMI_CONFIG_PASSPHRASE_FILE: state.passphrase,
        PULUMI_STACK: state.name,
        PULUMI_SKIP_UPDATE_CHECK: "true",
        PULUMI_SUPPRESS_NEO_LINK: "true",
        // Otherwise the checkout's branches and authors are stored in the state, at the cost of git calls.
        PULUMI_DISABLE_CI_DETECTION: "true",
        // The SDK's debug messages cost a call each (bundling/quick-sdk.cjs).
        TRADEWIND_PROGRAM_DEBUG: "false",
        // An unreachable cluster must not prevent destroying its stack.
        PULUMI_K8S_DELETE_UNREACHABLE: String(isDestroy(args)),
        // All plugins are installed already. Otherwise Pulumi would download those of every cloud whose SDK is installed.
        PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    };
}

/** Runs the Pulumi CLI and resolves to its standard output. @param more - variables in addition to the standard ones */
export async function pulumi(
    state: ClusterState,
    args: readonly string[],
    cwd = PROJECT_DIR,
    more: NodeJS.ProcessEnv = {},
): Promise<string> {
    const options = { cwd, env: { ...pulumiEnv(state, args), ...more }, maxBuffer: 256 * 1024 * 1024 };
    try {
        return (await promisify(execFile)(pulumiCli(), ["--non-interactive", ...args], options)).stdout;
    } catch (error) {
        const { stderr, stdout, message } = error as Error & { stderr?: string; stdout?: string };
        // Output of a command that broke off may have secrets.
        const said = stderr || (args.includes("--show-secrets") ? message : stdout || message);
        throw new Error(`pulumi ${args.slice(0, 2).join(" ")} failed: ${said.trim()}`);
    }
}

/** What a command of the Pulumi CLI prints as JSON. JSON.parse's own message would quote it, and it may have secrets. */
export async function pulumiJson<T>(state: ClusterState, args: readonly string[]): Promise<T> {
    const text = await pulumi(state, args);
    try {
        return JSON.parse(text);
    } catch {
        throw new Error(`pulumi ${args.slice(0, 2).join(" ")} must print JSON, and nothing else`);
    }
}

/**
 * Runs an operation of the Pulumi CLI and passes on each line that it prints. It has its own process group, so that
 * Ctrl-C only reaches it through us.
 *
 * @param env - variables in addition to the standard ones
 */
export async function pulumiOperation(
    state: ClusterState,
    args: readonly string[],
    onLine: (line: string) => void,
    env: NodeJS.ProcessEnv = {},
): Promise<void> {
    const all = [...args, "--non-interactive", "--color", "never"];
    const child = spawn(pulumiCli(), all, {
        cwd: PROJECT_DIR,
        env: { ...pulumiEnv(state, args), ...env },
        detached: true,
        stdio: ["ignore", "pipe", "pipe"],
    });
    const stop = handOnInterrupts(child, () =>
        onLine(
            "stopping: waiting for running operations to finish or be cancelled; press Ctrl-C again to stop immediately",
        ),
    );
    for (const stream of [child.stdout, child.stderr]) {
        createInterface({ input: stream }).on("line", onLine);
    }
    const exitCode = await new Promise((resolve, reject) => {
        child.on("error", reject);
        child.on("close", resolve);
    }).finally(() => {
        if (stop()) {
            throw new Interrupted();
        }
    });
    if (exitCode !== 0) {
        throw new Error(`pulumi ${args[0]} failed (exit code ${exitCode}): see its output above`);
    }
}
