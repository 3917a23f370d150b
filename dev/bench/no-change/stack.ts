import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { cacheDir } from "../../../artifacts";
import { PROJECT_DIR } from "../../../local/pulumi";
import { hasStack } from "../../../local/stack";
import { type ClusterState, clusterState } from "../../../local/state";
import { list, runningEngine } from "../../../machines";

const CLUSTER = "bench";

/** Apart from people's own clusters. */
function benchState(): string {
    return join(cacheDir(), "bench-state");
}

/** Gives the work the stack of a cluster that is up: the one named, else one made for it and destroyed after. */
export async function withCluster<T>(
    name: string | undefined,
    signal: AbortSignal,
    work: (state: ClusterState) => Promise<T>,
    size: readonly string[] = ["--controllers", "1", "--workers", "0"],
): Promise<T> {
    if (name !== undefined) {
        const state = clusterState(name);
        if (!hasStack(state)) {
            throw new Error(`there is no cluster ${name}: npm start -- --name ${name}`);
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

/** What a killed run left is ours to use and remove; a person's own cluster is not. */
async function requireNameIsFree(): Promise<void> {
    const machines = (await runningEngine()) ? await list(CLUSTER) : [];
    if (machines.length > 0 && !existsSync(join(benchState(), CLUSTER))) {
        throw new Error(
            `a cluster named ${CLUSTER} is in the way: measure it by --stack ${CLUSTER}, or remove it by npm start -- --name ${CLUSTER} --destroy`,
        );
    }
}

/** Has what the work makes be kept there. */
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

/** Its progress goes to standard error, where ours does. Ctrl-C reaches it only through us: destroying goes on. */
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
