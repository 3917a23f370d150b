import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { etcdImageOf, isStandbyCommand } from "../../../agents/etcd/member/runner";
import { versionOfImage } from "../../../cluster/upgrades/version";
import { etcdBinary } from "../kubernetes-fixture/binaries";

const lookMilliseconds = 20;
/** A kubelet's back-off from 10 seconds to five minutes, and its reset after ten, in milliseconds. */
const backOff = { least: 300, most: 4_500, forgotten: 18_000 };

const kubelets = new Set<StandInKubelet>();
// However the tests end, the pods end too.
process.once("exit", () => {
    for (const { pid } of kubelets) {
        if (pid !== undefined) killAll(pid);
    }
});

interface Pod {
    readonly metadata: { readonly namespace: string; readonly name: string; readonly uid?: string };
    readonly spec: { readonly containers: readonly { readonly image: string; readonly command: readonly string[] }[] };
}

/**
 * Does with etcd's static pod what a kubelet does: runs it, restarts it, and replaces it when its file defines another
 * pod.
 *
 * It delays the restart of a container that exited soon after its start, twice as long each time, even if its flags
 * have changed and for whatever reason it exited, but not that of another image, by name. Each start of a container has
 * its own log. For the same pod, by UID, it only restarts the container for another image: other flags wait for the next
 * start.
 */
export class StandInKubelet {
    readonly #manifest: string;
    readonly #node: string;
    readonly #podLogs: string;
    #child?: ChildProcess;
    #running = "";
    #generation?: string;
    #timer?: NodeJS.Timeout;
    /** When the image is there. */
    #imageFrom = 0;
    #startAfter = 0;
    #wait = 0;
    #began = 0;

    constructor(manifest: string, node: string, podLogs: string) {
        this.#manifest = manifest;
        this.#node = node;
        this.#podLogs = podLogs;
        kubelets.add(this);
    }

    start(imageMilliseconds = 0): void {
        this.#imageFrom = Date.now() + imageMilliseconds;
        this.#timer = setInterval(() => this.#observe(), lookMilliseconds);
    }

    /** Cuts the power: the kubelet and the pod are gone at once. */
    async cutPower(): Promise<void> {
        kubelets.delete(this);
        clearInterval(this.#timer);
        const child = this.#child;
        if (child === undefined) {
            return;
        }
        const ended = new Promise((resolve) => child.once("exit", resolve));
        killAll(child.pid!);
        await ended;
    }

    /** Process id of the pod's container. */
    get pid(): number | undefined {
        return this.#child?.pid;
    }

    #observe(): void {
        const manifest = this.#read();
        if (manifest !== this.#running) {
            this.#running = manifest;
            const pod: Pod | undefined = manifest === "" ? undefined : JSON.parse(manifest);
            const generation = pod && JSON.stringify([pod.metadata.uid ?? manifest, pod.spec.containers[0]!.image]);
            if (generation !== this.#generation) {
                this.#generation = generation;
                [this.#startAfter, this.#wait] = [0, 0];
                this.#child?.kill("SIGTERM");
            }
        }
        if (this.#child === undefined && manifest !== "" && Date.now() >= Math.max(this.#imageFrom, this.#startAfter)) {
            this.#run(JSON.parse(manifest));
        }
    }

    #read(): string {
        try {
            return readFileSync(this.#manifest, "utf8");
        } catch (error) {
            // Queried first, it could exit in between.
            if ((error as NodeJS.ErrnoException).code === "ENOENT") {
                return "";
            }
            throw error;
        }
    }

    #run(pod: Pod): void {
        const { image, command } = pod.spec.containers[0]!;
        const output = openSync(this.#log(pod), "a");
        const etcd = etcdOf(etcdImageOf(image, command));
        const child = spawn(isStandbyCommand(command) ? command[0]! : etcd, command.slice(1), {
            ...memberEnvironment(etcd),
            stdio: ["ignore", output, output],
            detached: true,
        });
        closeSync(output);
        this.#began = Date.now();
        child.once("exit", () => {
            this.#child = undefined;
            const now = Date.now();
            const wait = now - this.#began > backOff.forgotten ? 0 : this.#wait;
            this.#startAfter = now + wait;
            this.#wait = Math.min(Math.max(2 * wait, backOff.least), backOff.most);
        });
        this.#child = child;
    }

    /** Log of the container that starts now. */
    #log({ metadata }: Pod): string {
        const { namespace, name, uid = "of-its-file" } = metadata;
        const folder = join(this.#podLogs, `${namespace}_${name}-${this.#node}_${uid}`, "etcd");
        mkdirSync(folder, { recursive: true });
        return join(folder, `${readdirSync(folder).length}.log`);
    }
}

/** Copies of the pod's flags, for whatever reads them. */
export function memberEnvironment(etcd: string): { env: NodeJS.ProcessEnv } {
    const PATH = `${dirname(etcd)}:${dirname(process.execPath)}:/usr/bin:/bin`;
    return { env: { ...process.env, PATH, ETCD_LOG_LEVEL: "warn", ETCD_UNSAFE_NO_FSYNC: "true" } };
}

/** When the first process of a container exits, so do all others. */
export function killAll(pid: number): void {
    try {
        process.kill(-pid, "SIGKILL");
    } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
}

/** The program in an etcd image. */
export function etcdOf(image: string): string {
    return etcdBinary(versionOfImage(image)!);
}
