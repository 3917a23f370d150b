import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describeError } from "../common/api-error";
import { syncDirectory, writeDurably } from "../common/durable";
import { askPlugin } from "./ask-plugin";
import { parseCniPluginsEnv, renderCniPluginsEnv } from "./cni-plugins-env";
import { download } from "./download";
import { FileHashes } from "./file-hashes";
import { cniPluginsArchive, cniPluginsEnvFile } from "./layout";
import type { Source } from "./plan";
import { unpackPrograms } from "./unpack-programs";

/** What came of putting plugins in the place of others. */
export interface SwapOutcome {
    /** All of them lie where the runtime looks for them. */
    readonly isIn: boolean;
    /** @default - each of them answers */
    readonly fault?: string;
}

/** The CNI plugins on the node's disk: archives, and what was unpacked of one of them. */
export class CniPlugins {
    readonly #hashes = new FileHashes();
    readonly #env: string;

    /** @param directory - `/opt/cni` */
    constructor(private readonly directory: string) {
        this.#env = join(directory, cniPluginsEnvFile);
        this.#recordThoseOfEarlierMachines();
    }

    /** Those that the machine has, and installs when it boots; undefined: nothing says so. */
    installed(): Source | undefined {
        return existsSync(this.#env) ? parseCniPluginsEnv(readFileSync(this.#env, "utf8")) : undefined;
    }

    isHere({ sha256 }: Source): Promise<boolean> {
        return this.#hashes.has(this.#archive(sha256), sha256);
    }

    async fetch({ urls, sha256 }: Source): Promise<void> {
        await download(urls, sha256, this.#archive(sha256));
    }

    /**
     * Puts the plugins of an archive in the place of those of their names, each at once. Others stay: that of the network, and
     * those that this archive has no more.
     *
     * @param asksFirst - whether each has to answer beside its place before any gets there
     */
    async swap(source: Source, asksFirst: boolean): Promise<SwapOutcome> {
        let isIn = false;
        const beside = join(this.directory, ".plugins.new");
        const bin = join(this.directory, "bin");
        try {
            rmSync(beside, { recursive: true, force: true });
            for (const path of [beside, bin]) mkdirSync(path, { recursive: true, mode: 0o755 });
            const names = await unpackPrograms(this.#archive(source.sha256), beside);
            if (names.length === 0) throw new Error("there is no program at the top of the archive");
            if (asksFirst) await askEach(beside, names);
            for (const name of names) renameSync(join(beside, name), join(bin, name));
            syncDirectory(bin);
            writeDurably(this.#env, renderCniPluginsEnv(source), { mode: 0o644 });
            isIn = true;
            await askEach(bin, names);
            return { isIn };
        } catch (error) {
            return { isIn, fault: describeError(error) };
        } finally {
            rmSync(beside, { recursive: true, force: true });
        }
    }

    /** Their archive is all that they leave, and the only one. Their machine goes by it when it boots: it has to stay. */
    #recordThoseOfEarlierMachines(): void {
        if (existsSync(this.#env) || !existsSync(this.directory)) return;
        const archives = readdirSync(this.directory).flatMap(
            (name) => /^cni-plugins-([0-9a-f]{64})\.tgz$/.exec(name)?.[1] ?? [],
        );
        const [sha256, ...others] = archives;
        if (sha256 !== undefined && others.length === 0) {
            writeDurably(this.#env, renderCniPluginsEnv({ sha256, urls: [] }), { mode: 0o644 });
        }
    }

    #archive(sha256: string): string {
        return join(this.directory, cniPluginsArchive(sha256));
    }
}

async function askEach(directory: string, names: readonly string[]): Promise<void> {
    for (const name of names) await askPlugin(join(directory, name));
}
