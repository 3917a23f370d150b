import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { cacheDir } from "../../../cache";
import { PROJECT_DIR } from "../../../local/pulumi";
import { hasStack } from "../../../local/stack";
import { type ClusterState, clusterState } from "../../../local/state";
import { list, runningEngine } from "../../../machines";

const CLUSTER = "bench";

/** Separate from the user's own clusters. */
function benchState(): string {
    return join(cacheDir(), "bench-state");
}

/** Runs work with the stack of a running cluster: the named one, or a temporary one. */
export async function withCluster<T>(
    name: string | undefined,
    signal: AbortSignal,
    work: (state: ClusterState) => Promise<T>,
    size: readonly string[] = ["--controllers", "1", "--workers", "0"],
): Promise<T> {
    if (name !== undefined) {
        const state = clusterState(name);
        if (!hasStack(state)) {
            throw new Error(`cluster ${name} does not exist; create it with npm start -- --name ${name}`);
        }
        return work(state);
    }
    await requireNameIsFree();
    try {
        await npmStart(size, signal);
        signal.throwIfAborted();
        return await withBenchState(() => work(clusterState(CLUSTER)));
    } finally {
        await npmStart(["--destroy", "--yes"]);
    }
}

/** A cluster left by a killed run is reused and removed; the user's own cluster is not. */
async function requireNameIsFree(): Promise<void> {
    const machines = (await runningEngine()) ? await list(CLUSTER) : [];
    if (machines.length > 0 && !existsSync(join(benchState(), CLUSTER))) {
        throw new Error(
            `a cluster named ${CLUSTER} already exists: measure it with --stack ${CLUSTER}, or remove it with npm start -- --name ${CLUSTER} --destroy`,
        );
    }
}

/** Keeps state created by the work in a separate folder. */
export async function withBenchState<T>(work: () => Promise<T>): Promise<T> {
    const before = process.env.TRADEWIND_STATE;
    process.env.TRADEWIND_STATE = benchState();
    try {
        return await work();
    } finally {
        if (before === undefined) {
            delete process.env.TRADEWIND_STATE;
        } else {
            process.env.TRADEWIND_STATE = before;
        }
    }
}

/** Progress goes to standard error. Ctrl-C reaches it only through us, so that destroying continues. */
function npmStart(args: readonly string[], signal?: AbortSignal): Promise<void> {
    const child = spawn(process.execPath, ["dev/run.cjs", "start", "--name", CLUSTER, ...args], {
        cwd: PROJECT_DIR,
        env: { ...process.env, TRADEWIND_STATE: benchState() },
        detached: true,
        stdio: ["ignore", process.stderr, process.stderr],
    });
    const interrupt = () => child.kill("SIGINT");
    signal?.addEventListener("abort", interrupt);
    return new Promise<void>((resolve, reject) => {
        child.on("error", reject);
        child.on("close", (exitCode) =>
            exitCode === 0
                ? resolve()
                : reject(new Error(`npm start ${args.join(" ")} failed (exit code ${exitCode})`)),
        );
    }).finally(() => signal?.removeEventListener("abort", interrupt));
}
