import { setTimeout as sleep } from "node:timers/promises";
import { containerName, createMachine, destroyMachine, docker, exec } from "../../../machines";
import { type Access, firstAnswer, type Limits } from "./api";
import { CPU_SCRIPT, millicores } from "./cpu";
import { controlPlaneMemory, MEMORY_SCRIPT, machineMemory } from "./memory";

/** A way to create a control plane on one machine. */
export interface Contender {
    readonly title: string;
    readonly cluster: string;
    readonly node: string;
    readonly address: string;
    /** Ignition. */
    readonly config: string;
    /** Sends additional data to a booted machine. @default - nothing */
    readonly start?: () => Promise<void>;
    /** File on the machine whose modification time is the completion of the control plane. */
    readonly done: string;
    /** The unit that creates it: if it fails, waiting is pointless. */
    readonly unit: string;
    /** How an administrator reaches the API, as soon as this is known. */
    access(limits: Limits): Promise<Access>;
    /** Waits for further conditions; resolves to when they were met, in milliseconds since 1970. */
    complete(access: Access, limits: Limits): Promise<number>;
    /** Readable lines about where the time went. */
    explain(started: number): Promise<string[]>;
}

export interface Boot {
    /** Milliseconds from the start of the machine to the first successful request of an administrator. */
    readonly firstApi: number;
    /** Milliseconds from the start of the machine to the end of the bootstrap. */
    readonly complete: number;
    /** MiB by process of the control plane. */
    readonly memory: Readonly<Record<string, number>>;
    /** All processes of the machine, once it is idle. */
    readonly machine: { readonly mebibytes: number; readonly millicores: number };
}

const DEADLINE_MS = 300_000;
const SETTLE_MS = 20_000;
const IDLE_MS = 10_000;

/** Boots a machine, measures its control plane, and removes the machine. */
export async function timedBoot(contender: Contender, signal: AbortSignal, say: (line: string) => void): Promise<Boot> {
    const { cluster, node, address, config } = contender;
    try {
        await createMachine({ cluster, name: node, address, config });
        await contender.start?.();
        const started = await startOf(cluster, node);
        const limits = { deadline: started + DEADLINE_MS, signal };
        const access = await contender.access(limits);
        const firstApi = await firstAnswer(access, "/api/v1/namespaces", limits);
        const stamp = await onceWritten(contender, { path: contender.done, test: "-e", print: "stat -c %.3Y" }, limits);
        const complete = Math.max(Number(stamp) * 1000, await contender.complete(access, limits));
        for (const line of await contender.explain(started)) {
            say(line);
        }
        await sleep(SETTLE_MS, undefined, { signal });
        const print = (script: string) => exec(cluster, node, ["sh", "-c", script]);
        const began = performance.now();
        const before = await print(CPU_SCRIPT);
        await sleep(IDLE_MS, undefined, { signal });
        const after = await print(CPU_SCRIPT);
        const seconds = (performance.now() - began) / 1000;
        const memory = await print(MEMORY_SCRIPT);
        return {
            firstApi: firstApi - started,
            complete: complete - started,
            memory: controlPlaneMemory(memory),
            machine: { mebibytes: machineMemory(memory), millicores: millicores(before, after, seconds) },
        };
    } catch (error) {
        if (!signal.aborted) say(await lastWords(contender));
        throw error;
    } finally {
        await destroyMachine(cluster, node);
    }
}

/** Waits on the machine for a file, and prints something about it. */
export async function onceWritten(
    { cluster, node, unit }: Pick<Contender, "cluster" | "node" | "unit">,
    { path, test, print }: { path: string; test: "-s" | "-e"; print: string },
    { deadline, signal }: Limits,
): Promise<string> {
    const isThere = `[ ! ${test} ${path} ] || exec ${print} ${path}`;
    const script = `for i in $(seq 20); do ${isThere}; sleep 0.1; done; systemctl --quiet is-failed ${unit} && exit 3 || true`;
    while (Date.now() < deadline) {
        signal.throwIfAborted();
        const printed = await exec(cluster, node, ["sh", "-c", script]);
        if (printed) {
            return printed;
        }
    }
    throw new Error(`${node} did not write ${path} within ${DEADLINE_MS / 1000} s`);
}

/** When the machine was started, in milliseconds since 1970. */
export async function startOf(cluster: string, node: string): Promise<number> {
    const format = ["--format", "{{.State.StartedAt}}"];
    return Date.parse((await docker(["container", "inspect", ...format, containerName(cluster, node)])).trim());
}

/** The last log lines of a machine's unit, to add to an error. */
export function lastWords({ cluster, node, unit }: Pick<Contender, "cluster" | "node" | "unit">): Promise<string> {
    const command = ["journalctl", "--no-pager", "--lines", "30", "--unit", unit];
    return exec(cluster, node, command).catch((error: Error) => `no journal: ${error.message}`);
}
