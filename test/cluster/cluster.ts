import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { cacheDir } from "../../cache";
import { collectLogs, exec } from "../../machines";
import { versions } from "../../versions";
import { runTold } from "./commands-running";

export const root = resolve(__dirname, "../..");
const run = promisify(execFile);

export interface Output {
    readonly stdout: string;
    readonly stderr: string;
}

/** A local cluster created by `npm start`, as users create it. */
export class TestCluster {
    readonly stateDir: string;

    /** @param env - added to the environment of its commands */
    constructor(
        readonly name: string,
        protected readonly env: NodeJS.ProcessEnv = {},
    ) {
        const data =
            process.env.TRADEWIND_STATE ??
            join(process.env.XDG_DATA_HOME ?? join(homedir(), ".local/share"), "tradewind");
        this.stateDir = join(data, name);
    }

    get kubeconfig(): string {
        return join(this.stateDir, "kubeconfig");
    }

    /** Runs `npm start` with the cluster's name and more arguments. */
    start(...args: string[]): Promise<Output> {
        return this.#npm("start", ["--name", this.name, ...args]);
    }

    /** The same in the background, for tests that do something meanwhile. */
    spawnStart(...args: string[]): ChildProcess {
        return spawn("node", ["dev/run.cjs", "start", "--name", this.name, ...args], {
            cwd: root,
            stdio: ["ignore", "pipe", "pipe"],
        });
    }

    /** Runs the Pulumi CLI on the cluster's stack. */
    pulumi(...args: string[]): Promise<Output> {
        return this.#npm("pulumi", ["--name", this.name, ...args]);
    }

    /**
     * The same in the background and in its own process group, like in a terminal, where Ctrl-C reaches the whole
     * group.
     */
    spawnPulumi(...args: string[]): ChildProcess {
        return spawn("node", ["dev/run.cjs", "pulumi", "--name", this.name, ...args], {
            cwd: root,
            stdio: ["ignore", "pipe", "pipe"],
            detached: true,
        });
    }

    /** Runs `tradewind`. */
    tradewind(command: string, ...args: string[]): Promise<Output> {
        return this.#npm("tradewind", [command, "--name", this.name, ...args]);
    }

    destroy(): Promise<Output> {
        return this.start("--destroy", "--yes");
    }

    kubectl(...args: string[]): Promise<string> {
        return kubectl(this.kubeconfig, ...args);
    }

    async get<T = KubernetesObject>(...args: string[]): Promise<T> {
        return JSON.parse(await this.kubectl("get", ...args, "-o", "json"));
    }

    /** Applies an object or a List. */
    apply(manifest: object): Promise<void> {
        return this.#send("apply", manifest);
    }

    /** Creates an object that may be too large to be applied. */
    create(manifest: object): Promise<void> {
        return this.#send("create", manifest);
    }

    /** Creates an object in a namespace. */
    createIn(namespace: string, manifest: object, ...more: string[]): Promise<void> {
        return this.#send("create", manifest, "-n", namespace, ...more);
    }

    async #send(verb: string, manifest: object, ...more: string[]): Promise<void> {
        const args = ["--kubeconfig", this.kubeconfig, verb, ...more, "-f", "-"];
        const child = run(kubectlPath(), args, { timeout: 120_000 });
        child.child.stdin?.end(JSON.stringify(manifest));
        await child;
    }

    /** Runs a shell command on a machine. */
    exec(machine: string, command: string): Promise<string> {
        return exec(this.name, machine, ["sh", "-c", command]);
    }

    /** Writes every node's logs into a folder and returns its path. */
    async collectLogs(): Promise<string> {
        const folder = join(tmpdir(), "tradewind-logs", this.name);
        mkdirSync(folder, { recursive: true });
        await collectLogs(this.name, folder);
        return folder;
    }

    async #npm(script: string, args: string[]): Promise<Output> {
        try {
            const options = { cwd: root, maxBuffer: 64 << 20, env: { ...process.env, ...this.env } };
            return await runTold(
                `npm run ${script} ${args.join(" ")}`,
                "node",
                ["dev/run.cjs", script, ...args],
                options,
            );
        } catch (error) {
            const { stdout, stderr } = error as Output;
            throw new Error(`npm run ${script} ${args.join(" ")} failed:\n${stdout}\n${stderr}`);
        }
    }
}

/** Resolves if `npm start` succeeds; otherwise the error contains its output. */
export async function finished(child: ChildProcess): Promise<void> {
    let output = "";
    child.stdout?.on("data", (chunk) => (output += chunk));
    child.stderr?.on("data", (chunk) => (output += chunk));
    const [code] = await once(child, "close");
    assert.equal(code, 0, output);
}

export interface KubernetesObject {
    readonly metadata: {
        readonly name: string;
        readonly labels?: Record<string, string>;
        readonly annotations?: Record<string, string>;
    };
    readonly [field: string]: unknown;
}

/** Runs kubectl with a kubeconfig. */
export async function kubectl(kubeconfig: string, ...args: string[]): Promise<string> {
    const options = { maxBuffer: 64 << 20, timeout: 120_000 };
    const { stdout } = await run(kubectlPath(), ["--kubeconfig", kubeconfig, ...args], options);
    return stdout;
}

export function kubectlPath(): string {
    return join(cacheDir(), "bin/kubernetes", versions.kubernetes, "kubectl");
}

/** Waits for a condition; the error contains what it waited for and the last observation. */
export async function eventually<T>(what: string, check: () => Promise<T>, seconds = 60): Promise<T> {
    const deadline = Date.now() + seconds * 1000;
    for (;;) {
        try {
            return await check();
        } catch (error) {
            if (Date.now() > deadline) {
                throw new Error(`${what}: not within ${seconds} s: ${(error as Error).message}`);
            }
        }
        // Polling more often uses too much of the two cores.
        await sleep(1_000);
    }
}

export function readText(path: string): string {
    return readFileSync(path, "utf8");
}
