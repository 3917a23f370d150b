import { mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describeError } from "../../../../clients/kubernetes/api-error";
import { syncDirectory, writeDurably } from "../../../harness/durable";
import { readState } from "../../../harness/state-file";
import { askProgram } from "../ask-program";
import { download, FileHashes } from "../download";
import { cniPluginsArchive, cniPluginsEnvFile } from "../layout";
import type { NodeAgentPlan, Source } from "../plan";
import { unpackPrograms } from "../unpack-programs";

/** Result of replacing plugins. */
export interface SwapOutcome {
    /** All of them are in the runtime's directory. */
    readonly isIn: boolean;
    /** @default - each of them works */
    readonly fault?: string;
}

/** The CNI plugins on the node's disk: archives, and the contents of one of them. */
export class CniPlugins {
    readonly #hashes = new FileHashes();
    readonly #env: string;

    /** @param directory - `/opt/cni` */
    constructor(private readonly directory: string) {
        this.#env = join(directory, cniPluginsEnvFile);
    }

    /** Those that the machine has, and installs when it boots; undefined if that is not recorded. */
    installed(): Source | undefined {
        return readState(this.#env, parseCniPluginsEnv);
    }

    isHere({ sha256 }: Source): Promise<boolean> {
        return this.#hashes.has(this.#archive(sha256), sha256);
    }

    async fetch({ urls, sha256 }: Source): Promise<void> {
        await download(urls, sha256, this.#archive(sha256));
    }

    /**
     * Replaces the plugins in an archive, each atomically. Others stay: that of the network, and those that are no
     * longer in the archive.
     *
     * @param asksFirst - whether each must be tested in a temporary location before any is installed
     */
    async swap(source: Source, asksFirst: boolean): Promise<SwapOutcome> {
        let isIn = false;
        const staging = join(this.directory, ".plugins.new");
        const bin = join(this.directory, "bin");
        try {
            rmSync(staging, { recursive: true, force: true });
            for (const path of [staging, bin]) mkdirSync(path, { recursive: true, mode: 0o755 });
            const names = await unpackPrograms(this.#archive(source.sha256), staging);
            if (names.length === 0) throw new Error("the archive has no program at its top level");
            if (asksFirst) await askEach(staging, names);
            for (const name of names) renameSync(join(staging, name), join(bin, name));
            syncDirectory(bin);
            writeDurably(this.#env, renderCniPluginsEnv(source), { mode: 0o644 });
            isIn = true;
            await askEach(bin, names);
            return { isIn };
        } catch (error) {
            return { isIn, fault: describeError(error) };
        } finally {
            rmSync(staging, { recursive: true, force: true });
        }
    }

    #archive(sha256: string): string {
        return join(this.directory, cniPluginsArchive(sha256));
    }
}

async function askEach(directory: string, names: readonly string[]): Promise<void> {
    for (const name of names) await askPlugin(join(directory, name));
}

/** Asks a CNI plugin for its versions: https://www.cni.dev/docs/spec/#version-probe-plugin-version-support. */
export async function askPlugin(path: string): Promise<void> {
    const input = JSON.stringify({ cniVersion: "1.0.0" });
    await askProgram(path, { about: "versions", env: { CNI_COMMAND: "VERSION" }, input, read: versionsIn });
}

function versionsIn(answer: string): readonly string[] | undefined {
    try {
        const { supportedVersions } = JSON.parse(answer);
        return Array.isArray(supportedVersions) && supportedVersions.length > 0 ? supportedVersions : undefined;
    } catch {
        return undefined;
    }
}

export function renderCniPluginsEnv({ sha256, urls }: Source): string {
    return [`CNI_PLUGINS_SHA256=${sha256}`, `CNI_PLUGINS_URLS="${urls.join(" ")}"`, ""].join("\n");
}

function parseCniPluginsEnv(text: string): Source {
    const [, sha256, urls] = /^CNI_PLUGINS_SHA256=(.+)\nCNI_PLUGINS_URLS="(.*)"\n$/.exec(text) ?? [];
    if (sha256 === undefined || urls === undefined) {
        throw new Error(`${cniPluginsEnvFile} must contain the SHA-256 of an archive and its URLs (got ${text})`);
    }
    return { sha256, urls: urls.split(" ").filter(Boolean) };
}

/** Digits of a SHA-256 that identify it. */
const leastDigits = 12;

/** The desired plugins of a node: those in its annotation or in the plan, which must be pinned. */
export function desiredCniPlugins(
    { cniPlugins, otherCniPlugins = [] }: Pick<NodeAgentPlan, "cniPlugins" | "otherCniPlugins">,
    named: string | undefined,
): Source | { readonly refusal: string } {
    if (named === undefined) {
        return cniPlugins;
    }
    const pinned = [cniPlugins, ...otherCniPlugins];
    const found = named.length >= leastDigits && pinned.find(({ sha256 }) => sha256.startsWith(named));
    const legal = pinned.map(({ sha256 }) => sha256.slice(0, leastDigits)).join(", ");
    return found || { refusal: `the node's CNI plugins annotation must be one of ${legal} (got ${named})` };
}
