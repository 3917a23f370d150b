import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { removeDurably, syncDirectory, writeDurably } from "../../../harness/durable";
import { download } from "../download";
import {
    currentRuntime,
    runningRuntime,
    runtimeFault,
    runtimeId,
    runtimePrograms,
    runtimeRequest,
    runtimeTrial,
} from "../layout";
import type { RuntimeSource } from "../plan";
import { unpackPrograms } from "../unpack-programs";
import type { Runtime } from "./runtime";

/** What the host tells of its runtime, and is asked for: ids. */
export interface RuntimeHost {
    /** The one that containerd is of when it starts. */
    readonly current: string;
    /** The one that was started last. @default - none that says so */
    readonly running?: string;
    /** @default - it was asked for none */
    readonly request?: string;
    /** The one to which it goes back by itself. @default - to none: it was told that all is well */
    readonly trial?: string;
    /** Why it went back by itself. @default - it did not */
    readonly fault?: string;
}

/** The container runtimes on the node's disk, and which of them the host has. */
export class ContainerRuntimes {
    readonly #told = new Map<string, Runtime>();

    /** @param directory - `/opt/tradewind/container-runtime` */
    constructor(private readonly directory: string) {}

    /** @returns undefined: the machine has its image's own, or was made before there were others */
    host(): RuntimeHost | undefined {
        if (!existsSync(this.#path(currentRuntime))) return undefined;
        const current = readlinkSync(this.#path(currentRuntime));
        const files = [runningRuntime, runtimeRequest, runtimeTrial, runtimeFault];
        const [running, request, trial, fault] = files.map((name) => this.#read(name));
        return {
            current,
            ...(running !== undefined && { running }),
            ...(request !== undefined && { request }),
            ...(trial !== undefined && { trial }),
            ...(fault !== undefined && { fault }),
        };
    }

    /** It is there by one rename, when it is whole. */
    isHere(id: string): boolean {
        return existsSync(this.#path(id));
    }

    async fetch(source: RuntimeSource): Promise<void> {
        const beside = this.#path(".fetched");
        const [archive, bin] = [join(beside, "containerd.tar.gz"), join(beside, "bin")];
        try {
            rmSync(beside, { recursive: true, force: true });
            mkdirSync(bin, { recursive: true, mode: 0o755 });
            const { containerd, runc } = source;
            await download(containerd.urls, containerd.sha256, archive);
            const names = [...(await unpackPrograms(archive, bin, "bin/")), "runc"];
            await download(runc.urls, runc.sha256, join(bin, "runc"));
            const missing = runtimePrograms.filter((name) => !names.includes(name));
            if (missing.length > 0) throw new Error(`the archive of containerd has no bin/${missing.join(", bin/")}`);
            const isOther = (name: string) => !runtimePrograms.some((program) => program === name);
            for (const name of names.filter(isOther)) rmSync(join(bin, name));
            syncDirectory(bin);
            renameSync(bin, this.#path(runtimeId(source)));
            syncDirectory(this.directory);
        } finally {
            rmSync(beside, { recursive: true, force: true });
        }
    }

    /** Asks one that is here. */
    async ask(id: string): Promise<Runtime> {
        const told = this.#told.get(id) ?? (await askRuntime(this.#path(id), id));
        this.#told.set(id, told);
        return told;
    }

    /** Has the host start that one in the place of what it has. */
    request(id: string): void {
        removeDurably(this.#path(runtimeFault));
        writeDurably(this.#path(runtimeRequest), `${id}\n`);
    }

    /** Has the host stay with the one that it was asked for. */
    keep(): void {
        removeDurably(this.#path(runtimeTrial));
    }

    /** Forgets why the host went back. */
    forget(): void {
        removeDurably(this.#path(runtimeFault));
    }

    /** Removes all but some. What runs of one that goes runs on. */
    clear(ids: readonly string[]): void {
        const others = readdirSync(this.directory).filter((name) => /^[0-9a-f]{12}-[0-9a-f]{12}$/.test(name));
        for (const name of others.filter((each) => !ids.includes(each))) {
            rmSync(this.#path(name), { recursive: true, force: true });
        }
    }

    #read(name: string): string | undefined {
        const path = this.#path(name);
        return existsSync(path) ? readFileSync(path, "utf8").trim() || undefined : undefined;
    }

    #path(name: string): string {
        return join(this.directory, name);
    }
}

/** A program that answers takes milliseconds. */
const timeoutMilliseconds = 10_000;

/**
 * Has containerd and runc tell their versions, which changes nothing.
 *
 * A runc that is no static program need not run in the agent's container, and is known by its hash then: whether it does, the
 * host finds out.
 *
 * @param directory - of its programs
 * @throws Error if containerd does not: one of another architecture, or not a static one
 */
export async function askRuntime(directory: string, id: string): Promise<Runtime> {
    const ask = (name: "containerd" | "runc") => askProgram(join(directory, name), name);
    const hash = id.split("-")[1]!;
    const [containerd, runc] = await Promise.all([ask("containerd"), ask("runc").catch(() => hash)]);
    return { id, containerd, runc };
}

async function askProgram(path: string, name: string): Promise<string> {
    const options = { env: {}, timeout: timeoutMilliseconds };
    const told = await promisify(execFile)(path, ["--version"], options).catch((error: Error) => {
        throw new Error(`${name} does not tell its version: ${firstWords(error.message)}`);
    });
    const [, version] = /\bv?(\d+\.\d+\.\d+\S*)/.exec(told.stdout) ?? [];
    if (version === undefined) {
        throw new Error(`${name} does not tell its version, but ${firstWords(JSON.stringify(told.stdout))}`);
    }
    return version;
}

/** Of a program that is none there may be much. */
function firstWords(text: string): string {
    return text.replace(/\s+/g, " ").trim().slice(0, 200);
}
