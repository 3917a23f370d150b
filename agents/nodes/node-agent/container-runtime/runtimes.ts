import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { removeDurably, syncDirectory, writeDurably } from "../../../harness/durable";
import { askProgram } from "../ask-program";
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

/** State of the host's runtime, and requests to the host: IDs. */
export interface RuntimeHost {
    /** The one that containerd uses at its next start. */
    readonly current: string;
    /** The one that was started last. @default - not recorded */
    readonly running?: string;
    /** @default - none was requested */
    readonly request?: string;
    /** The one that the host reverts to by itself. @default - none: the current one was confirmed */
    readonly trial?: string;
    /** Why it reverted. @default - it did not */
    readonly fault?: string;
}

/** The container runtimes on the node's disk, and which of them the host has. */
export class ContainerRuntimes {
    readonly #reported = new Map<string, Runtime>();

    /** @param directory - `/opt/tradewind/container-runtime` */
    constructor(private readonly directory: string) {}

    /** @returns undefined if the machine uses its image's own, or is older than this feature */
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

    /** It appears by a single rename once it is complete. */
    isHere(id: string): boolean {
        return existsSync(this.#path(id));
    }

    async fetch(source: RuntimeSource): Promise<void> {
        const staging = this.#path(".fetched");
        const [archive, bin] = [join(staging, "containerd.tar.gz"), join(staging, "bin")];
        try {
            rmSync(staging, { recursive: true, force: true });
            mkdirSync(bin, { recursive: true, mode: 0o755 });
            const { containerd, runc } = source;
            await download(containerd.urls, containerd.sha256, archive);
            const names = [...(await unpackPrograms(archive, bin, "bin/")), "runc"];
            await download(runc.urls, runc.sha256, join(bin, "runc"));
            const missing = runtimePrograms.filter((name) => !names.includes(name));
            if (missing.length > 0) throw new Error(`the containerd archive has no bin/${missing.join(", bin/")}`);
            const isOther = (name: string) => !runtimePrograms.some((program) => program === name);
            for (const name of names.filter(isOther)) rmSync(join(bin, name));
            syncDirectory(bin);
            renameSync(bin, this.#path(runtimeId(source)));
            syncDirectory(this.directory);
        } finally {
            rmSync(staging, { recursive: true, force: true });
        }
    }

    /** Queries the versions of a runtime on the disk. */
    async ask(id: string): Promise<Runtime> {
        const reported = this.#reported.get(id) ?? (await askRuntime(this.#path(id), id));
        this.#reported.set(id, reported);
        return reported;
    }

    /** Makes the host switch to that one. */
    request(id: string): void {
        removeDurably(this.#path(runtimeFault));
        writeDurably(this.#path(runtimeRequest), `${id}\n`);
    }

    /** Makes the host keep the requested one. */
    keep(): void {
        removeDurably(this.#path(runtimeTrial));
    }

    /** Clears why the host reverted. */
    forget(): void {
        removeDurably(this.#path(runtimeFault));
    }

    /** Removes all except some. Running processes of removed ones keep running. */
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

/**
 * Queries the versions of containerd and runc, which changes nothing.
 *
 * A runc that is not static may not run in the agent's container, and is then identified by its hash; the host finds
 * out whether it works.
 *
 * @param directory - of its programs
 * @throws Error if containerd does not answer, for example if it is for another architecture, or not static
 */
export async function askRuntime(directory: string, id: string): Promise<Runtime> {
    const read = (output: string) => /\bv?(\d+\.\d+\.\d+\S*)/.exec(output)?.[1];
    const ask = (name: "containerd" | "runc") =>
        askProgram(join(directory, name), { about: "version", args: ["--version"], read });
    const hash = id.split("-")[1]!;
    const [containerd, runc] = await Promise.all([ask("containerd"), ask("runc").catch(() => hash)]);
    return { id, containerd, runc };
}
