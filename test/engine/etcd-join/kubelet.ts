import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { binary } from "../kubernetes-fixture/binaries";

const lookMilliseconds = 20;
const restartMilliseconds = 300;

const kubelets = new Set<StandInKubelet>();
// Whatever ends the tests ends the pods too.
process.once("exit", () => {
    for (const { pid } of kubelets) {
        if (pid !== undefined) process.kill(pid, "SIGKILL");
    }
});

/** Does with a static pod of etcd what a kubelet does: runs it, restarts it, and replaces it when its file changes. */
export class StandInKubelet {
    readonly #manifest: string;
    readonly #log: string;
    #child?: ChildProcess;
    #running = "";
    #timer?: NodeJS.Timeout;
    #startAfter = 0;

    constructor(manifest: string, log: string) {
        this.#manifest = manifest;
        this.#log = log;
        kubelets.add(this);
    }

    start(imageMilliseconds = 0): void {
        this.#startAfter = Date.now() + imageMilliseconds;
        this.#timer = setInterval(() => this.#look(), lookMilliseconds);
    }

    /** The power fails: it and the pod are gone at once. */
    async cutPower(): Promise<void> {
        kubelets.delete(this);
        clearInterval(this.#timer);
        const child = this.#child;
        if (child === undefined) {
            return;
        }
        const ended = new Promise((resolve) => child.once("exit", resolve));
        child.kill("SIGKILL");
        await ended;
    }

    /** Process id of the pod's container. */
    get pid(): number | undefined {
        return this.#child?.pid;
    }

    #look(): void {
        const wanted = this.#wanted();
        if (wanted !== this.#running) {
            this.#running = wanted;
            this.#child?.kill("SIGTERM");
        }
        if (this.#child === undefined && wanted !== "" && Date.now() >= this.#startAfter) {
            this.#run(JSON.parse(wanted));
        }
    }

    #wanted(): string {
        try {
            return readFileSync(this.#manifest, "utf8");
        } catch (error) {
            // Asked for first, it could go between the two.
            if ((error as NodeJS.ErrnoException).code === "ENOENT") {
                return "";
            }
            throw error;
        }
    }

    #run({ spec }: { spec: { containers: { command: string[] }[] } }): void {
        const [, ...args] = spec.containers[0]!.command;
        const output = openSync(this.#log, "a");
        const child = spawn(binary("etcd"), [...args, "--log-level=warn", "--unsafe-no-fsync"], {
            stdio: ["ignore", output, output],
        });
        closeSync(output);
        child.once("exit", () => {
            this.#child = undefined;
            this.#startAfter = Date.now() + restartMilliseconds;
        });
        this.#child = child;
    }
}
