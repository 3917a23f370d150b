import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { cacheDir, programPath } from "../artifacts";
import { handOnInterrupts, Interrupted } from "../command-line/interrupt";
import { simulatedAccount } from "../simulator/clouds/simulated-account";
import type { ClusterState } from "./state";

/** The checkout: Pulumi's project. */
export const PROJECT_DIR = resolve(__dirname, "..");

/** The CLI of the cache, so that every run of a checkout uses the same one. */
export function pulumiCli(): string {
    return programPath("pulumi");
}

/** The `PULUMI_HOME` of runs that are about no cluster. It has none of the person's own logins. */
export function sharedPulumiHome(): string {
    return join(cacheDir(), "pulumi-home");
}

/** A cluster's own `PULUMI_HOME`: which plugins other clusters and checkouts use does not matter to it. */
export function ownPulumiHome({ dir }: ClusterState): string {
    return join(dir, "pulumi-home");
}

/** Where the engine finds simulated clouds, in a run that asks for them; the real ones are never here. */
function simulatedClouds(env: NodeJS.ProcessEnv): string[] {
    return simulatedAccount(env) === undefined ? [] : [join(PROJECT_DIR, "simulator/clouds/bin")];
}

/** Names of a simulated cloud are known to the programs that Pulumi starts, in a run that asks for one. */
function nodeOptions(env: NodeJS.ProcessEnv): { NODE_OPTIONS?: string } {
    if (simulatedAccount(env) === undefined) return {};
    const resolver = `--require="${join(PROJECT_DIR, "simulator/clouds/bin/resolve-names.cjs")}"`;
    return { NODE_OPTIONS: [env.NODE_OPTIONS, resolver].filter(Boolean).join(" ") };
}

/**
 * Whether a command destroys a whole stack. That alone may forget what is in a cluster that can't be reached: a refresh
 * would empty the state of a cluster whose machines are off.
 */
function isDestroy(args: readonly string[]): boolean {
    const command = args.find((arg) => !arg.startsWith("-"));
    const isPart = args.some((arg) => /^(--target|--exclude|-t$)/.test(arg));
    return ["destroy", "down", "dn"].includes(command ?? "") && !isPart;
}

/** The environment in which the Pulumi CLI works on a local cluster's stack, and on nothing else. @param args - its own */
export function pulumiEnv(
    state: ClusterState,
    args: readonly string[] = [],
    base: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
    const { PULUMI_CONFIG_PASSPHRASE, PULUMI_ACCESS_TOKEN, ...inherited } = base;
    const { PULUMI_IGNORE_AMBIENT_PLUGINS: ignoreAmbient = "true" } = base;
    return {
        ...inherited,
        // The plugins start `node`: it must be the one that runs us.
        PATH: [...simulatedClouds(base), dirname(pulumiCli()), dirname(process.execPath), base.PATH]
            .filter(Boolean)
            .join(delimiter),
        ...nodeOptions(base),
        PULUMI_HOME: existsSync(ownPulumiHome(state)) ? ownPulumiHome(state) : sharedPulumiHome(),
        // The engine would take a plugin on PATH whatever its version. Simulated clouds are on PATH.
        ...(simulatedAccount(base) === undefined && { PULUMI_IGNORE_AMBIENT_PLUGINS: ignoreAmbient }),
        // Without sidecar files of metadata: they are not written atomically, and an empty one hides the stack.
        PULUMI_BACKEND_URL: `file://${state.backend}?metadata=skip`,
        PULUMI_CONFIG_PASSPHRASE_FILE: state.passphrase,
        PULUMI_STACK: state.name,
        PULUMI_SKIP_UPDATE_CHECK: "true",
        PULUMI_SUPPRESS_NEO_LINK: "true",
        // Else names of branches and authors of the checkout go into the state, at the cost of git calls.
        PULUMI_DISABLE_CI_DETECTION: "true",
        // What the SDK tells only for debugging costs a call each (bundling/quick-sdk.cjs).
        TRADEWIND_PROGRAM_DEBUG: "false",
        // A cluster that is dead must not keep its stack from being destroyed.
        PULUMI_K8S_DELETE_UNREACHABLE: String(isDestroy(args)),
        // What is needed is there already. Else the engine would fetch those of every cloud whose SDK is installed.
        PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    };
}

/** Runs the Pulumi CLI and resolves to its standard output. */
export async function pulumi(state: ClusterState, args: readonly string[], cwd = PROJECT_DIR): Promise<string> {
    const options = { cwd, env: pulumiEnv(state, args), maxBuffer: 256 * 1024 * 1024 };
    try {
        return (await promisify(execFile)(pulumiCli(), ["--non-interactive", ...args], options)).stdout;
    } catch (error) {
        const { stderr, stdout, message } = error as Error & { stderr?: string; stdout?: string };
        throw new Error(`pulumi ${args.slice(0, 2).join(" ")} failed: ${(stderr || stdout || message).trim()}`);
    }
}

/**
 * Runs an operation of the Pulumi CLI, with each line it prints handed on as it comes.
 * It has a process group of its own, so that Ctrl-C reaches it only through us.
 *
 * @param env - variables besides those of every command
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
        onLine("stopping: what is at work now is let finish or is cancelled; Ctrl-C again ends it at once"),
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
        throw new Error(`pulumi ${args[0]} failed (exit code ${exitCode}): what it said is above`);
    }
}
