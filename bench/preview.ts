import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parse, stringify } from "yaml";
import { pulumi } from "../cli/pulumi-cli";
import { PROJECT_DIR } from "../cli/pulumi-env";
import { ensureStack } from "../cli/stack";
import { type ClusterState, clusterState, createState, removeState } from "../cli/state";
import { compare, type Report } from "./report";

const ROUNDS = 5;
const CLUSTER = "bench";

interface Peer {
    /** Of the measurement. */
    readonly name: string;
    readonly title: string;
    /** The project's `runtime`. */
    readonly runtime: unknown;
}

/** A preview that shows no change, against one of a program that does nothing. */
export async function run({ result, say }: Report): Promise<void> {
    await npmStart(["--workers", "1"]);
    try {
        const state = clusterState(CLUSTER);
        const ours = () =>
            pulumi(state, ["preview", "--expect-no-changes", "--config-file", state.config]).then(() => undefined);
        for (const peer of peers()) {
            say(`${ROUNDS} rounds against ${peer.title}`);
            const { value, peer: base } = await withEmptyProgram(peer, (preview) => compare(ROUNDS, ours, preview));
            result({ name: peer.name, value, unit: "ms", peer: peer.title, ratio: value / base, goal: 1.5 });
        }
    } finally {
        await npmStart(["--destroy", "--yes"]);
    }
}

/** The same way of running TypeScript as ours, and the way that a new project gets from Pulumi. */
function peers(): Peer[] {
    const { main, runtime } = parse(readFileSync(join(PROJECT_DIR, "Pulumi.yaml"), "utf8"));
    const programDir = join(PROJECT_DIR, dirname(main));
    const nodeargs = runtime.options.nodeargs.replaceAll(" ./", ` ${programDir}/`);
    const options = { ...runtime.options, nodeargs };
    return [
        {
            name: "preview: no change",
            title: "an empty TypeScript program, run as ours is",
            runtime: { ...runtime, options },
        },
        {
            name: "preview: no change, against the template",
            title: "an empty TypeScript program, run as Pulumi's template does",
            runtime: "nodejs",
        },
    ];
}

/** Gives the work a preview of a program that only imports the SDK, on the same host, CLI and kind of backend. */
async function withEmptyProgram<T>({ runtime }: Peer, work: (preview: () => Promise<void>) => Promise<T>): Promise<T> {
    const folder = mkdtempSync(join(tmpdir(), "tradewind-bench-"));
    const name = `${CLUSTER}-empty`;
    try {
        symlinkSync(join(PROJECT_DIR, "node_modules"), join(folder, "node_modules"));
        writeFileSync(join(folder, "package.json"), '{ "name": "empty", "main": "index.ts" }');
        writeFileSync(
            join(folder, "tsconfig.json"),
            '{ "compilerOptions": { "module": "node16", "target": "es2022" } }',
        );
        writeFileSync(join(folder, "Pulumi.yaml"), stringify({ name: "tradewind", runtime }));
        writeFileSync(join(folder, "index.ts"), 'import "@pulumi/pulumi";\n');
        const state: ClusterState = createState(name);
        await ensureStack(state);
        return await work(() =>
            pulumi(state, ["preview", "--config-file", state.config], folder).then(() => undefined),
        );
    } finally {
        removeState(name);
        rmSync(folder, { recursive: true });
    }
}

/** Progress goes to standard error, where ours does. */
function npmStart(args: readonly string[]): Promise<void> {
    const all = ["cli/run.cjs", "start", "--name", CLUSTER, ...args];
    const child = spawn(process.execPath, all, { cwd: PROJECT_DIR, stdio: ["ignore", process.stderr, process.stderr] });
    return new Promise((resolve, reject) => {
        child.on("error", reject);
        child.on("close", (exitCode) =>
            exitCode === 0
                ? resolve()
                : reject(new Error(`npm start ${args.join(" ")} failed (exit code ${exitCode})`)),
        );
    });
}
