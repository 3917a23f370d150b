import { existsSync } from "node:fs";
import { runHere } from "../command-line/run-here";
import { artifactsOf, fetchArtifacts, missingArtifacts } from "../local/artifacts";
import { requireClusterName } from "../local/options";
import { requireOwnPlugins } from "../local/own-plugins";
import { pulumiCli, pulumiEnv } from "../local/pulumi";
import { refreshes, requireApi } from "../local/require-api";
import { hasStack, requireConfig, requireOwnName, withProject } from "../local/stack";
import { readConfig } from "../local/stack-config";
import { type ClusterState, clusterState } from "../local/state";
import { resumeAfterKill } from "../local/up";
import { EventLog } from "./event-log";
import { commandFirst, isInStateFolder, requireSupported, withoutRemoval } from "./pulumi-arguments";

/** The commands that read the stack's configuration. */
const WITH_CONFIG = ["up", "update", "preview", "pre", "destroy", "dn", "down", "refresh", "watch", "config", "import"];

/** What a command that locks the stack does with it; undefined for others. */
function nextOf(command: string): "change" | "destroy" | "refresh" | undefined {
    if (["up", "update", "import", "watch"].includes(command)) return "change";
    if (["destroy", "dn", "down"].includes(command)) return "destroy";
    return command === "refresh" ? "refresh" : undefined;
}

/** `npm run pulumi -- <args> [--name CLUSTER]`: the Pulumi CLI on a local cluster's stack. */
export async function main(args: readonly string[]): Promise<number> {
    const { name, rest: given } = takeName(args);
    const rest = withoutRemoval(commandFirst(given));
    const state = clusterState(name);
    if (!existsSync(pulumiCli())) {
        throw new Error("the Pulumi CLI is not in the cache: run npm start or npm run artifacts -- fill --only pulumi");
    }
    requireSupported(rest, state);
    const newName = renamedTo(rest);
    if (newName === undefined) {
        requireOwnName(state);
    } else if (newName !== name) {
        const other = `npm start -- --name ${newName}`;
        throw new Error(
            `the cluster ${name} cannot be renamed to ${newName}, as its machines carry its name; ${other} creates another cluster`,
        );
    }
    if (newName === undefined && !hasStack(state) && !isAboutNoStack(rest)) {
        throw new Error(
            `cluster ${name} does not exist; create it with npm start${name === "local" ? "" : ` -- --name ${name}`}`,
        );
    }
    if (hasStack(state)) await requireOwnPlugins(state);
    if (refreshes(rest)) await requireApi(state);
    const next = nextOf(rest[0] ?? "");
    if (next === "change" && !rest.some((arg) => arg.startsWith("--config-file"))) requireConfig(state);
    if (next === "change") await fetchMissing(state);
    if (next !== undefined) await resumeAfterKill(state, (line) => console.error(line), next);
    const log = new EventLog(state);
    const logged = log.argumentsWith(rest);
    const isLogged = logged.length > rest.length;
    const env = {
        ...pulumiEnv(state, rest),
        TRADEWIND_PROGRAM_DEBUG: String(showsDebug(rest)),
        // Required for `--event-log`.
        ...(isLogged && { PULUMI_DEBUG_COMMANDS: "true" }),
    };
    const run = (all: readonly string[]) => runHere(pulumiCli(), withConfigFile(all, state.config), { env });
    const exitCode = isInStateFolder(rest)
        ? await withProject(state, () => run([...logged, "--cwd", state.dir]))
        : await run(logged);
    if (isLogged) log.keep();
    return exitCode;
}

/** What the configuration needs since the last `npm start`, such as another version or metrics-server. */
async function fetchMissing(state: ClusterState): Promise<void> {
    const artifacts = artifactsOf(readConfig(state.config));
    if (artifacts === undefined || (await missingArtifacts(artifacts)).length === 0) return;
    await fetchArtifacts(artifacts, (line) => console.error(line));
}

/** Separates `--name` from the options of the CLI. */
export function takeName(args: readonly string[]): { name: string; rest: string[] } {
    const rest = [...args];
    const at = rest.findIndex((arg) => arg === "--name" || arg.startsWith("--name="));
    if (at < 0) {
        return { name: "local", rest };
    }
    const [option = ""] = rest.splice(at, 1);
    const name = option.includes("=") ? option.slice("--name=".length) : (rest.splice(at, 1)[0] ?? "");
    return { name: requireClusterName(name), rest };
}

/** Passes the configuration file, which is stored with the state, not in the checkout. */
export function withConfigFile(args: readonly string[], path: string): string[] {
    const [command = "", ...rest] = args;
    const isWithConfig = WITH_CONFIG.includes(command) && !rest.some((arg) => arg.startsWith("--config-file"));
    return isWithConfig ? [command, "--config-file", path, ...rest] : [...args];
}

/** The new name in `stack rename`; undefined for other commands or without a name. */
export function renamedTo(args: readonly string[]): string | undefined {
    const [stack, rename, ...rest] = args;
    if (stack !== "stack" || rename !== "rename") return undefined;
    const takesValue = (arg = "") => ["--stack", "-s", "--cwd", "-C", "--color"].includes(arg);
    return rest.find((arg, index) => !arg.startsWith("-") && !takesValue(rest[index - 1]));
}

/** Whether the CLI should print debug output, to the terminal or to a file. */
export function showsDebug(args: readonly string[]): boolean {
    return args.some((arg) => /^(--(debug|verbose|log|event-log|json|tracing|otel)|-[a-z]*[djv])/.test(arg));
}

function isAboutNoStack([command = "help"]: readonly string[]): boolean {
    return ["help", "--help", "-h", "version", "plugin", "about"].includes(command);
}
