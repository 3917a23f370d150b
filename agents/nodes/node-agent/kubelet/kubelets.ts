import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeDurably } from "../../../harness/durable";
import { redact } from "../../../harness/redact";
import { readState } from "../../../harness/state-file";
import { download, FileHashes } from "../download";
import { kubeletEnvFile, kubeletErrorFile, podEnvFile, restartRequest, runningEnvFile } from "../layout";
import type { Kubelet, NodeAgentDirectories } from "../plan";
import type { Identity, Issuance } from "./identity";
import { flagsFile, type KubeletSettings, rememberedOf, settingsFiles } from "./settings";

/** The kubelets on the node's disk, and which of them runs. */
export class Kubelets {
    readonly #hashes = new FileHashes();

    constructor(
        private readonly directories: Pick<NodeAgentDirectories, "kubelets" | "state">,
        private readonly settings: KubeletSettings,
        private readonly identity?: Identity,
    ) {}

    /** The one that runs at the next start. */
    selected(): Kubelet {
        const path = join(this.directories.kubelets, kubeletEnvFile);
        // If it is damaged, the machine restores it before the next start.
        return readState(path, parseKubeletEnv) ?? this.running() ?? parseKubeletEnv(readFileSync(path, "utf8"));
    }

    /**
     * The one that was started last; undefined if there was none.
     *
     * @param isPod - whether the kubelet runs as a pod: then the host's last start is only waiting
     */
    running(isPod = false): Kubelet | undefined {
        const pod = join(this.directories.kubelets, podEnvFile);
        const path = isPod && existsSync(pod) ? pod : join(this.directories.kubelets, runningEnvFile);
        return readState(path, parseKubeletEnv);
    }

    /** Whether it can be started with its settings. */
    async isHere(kubelet: Kubelet): Promise<boolean> {
        return (await this.#isProgramHere(kubelet)) && this.identity?.lack() === undefined;
    }

    /** Downloads a missing kubelet. */
    async fetch(kubelet: Kubelet): Promise<void> {
        const { version, sha256, urls } = kubelet;
        if (!(await this.#isProgramHere(kubelet))) {
            mkdirSync(join(this.directories.kubelets, version), { recursive: true });
            await download(urls, sha256, this.#path(version));
        }
        const lack = this.identity?.lack();
        if (lack !== undefined) throw new Error(lack);
    }

    /** Issuer of its certificates, once it was selected with the plan's settings. */
    issuance(): Issuance {
        const isOurs = this.selected().settings === this.settings.id;
        return isOurs ? (this.identity?.issuance() ?? "desired") : "desired";
    }

    /**
     * Whether pods must leave before this one starts: their CPUs and memory were assigned with other settings, and are
     * forgotten then.
     */
    reassigns(kubelet: Kubelet): boolean {
        return rememberedOf(this.#flagsOf(this.selected())) !== rememberedOf(this.#flagsOf(kubelet));
    }

    /** Last error of a kubelet that ended since one was selected. @default - none did */
    lastError(): string | undefined {
        const path = join(this.directories.state, kubeletErrorFile);
        return (existsSync(path) && redact(readFileSync(path, "utf8").trim())) || undefined;
    }

    /** Makes the kubelet-wrapper run this one from now on. */
    switchTo(kubelet: Kubelet): void {
        // The settings of a revert already exist.
        const isOurs = kubelet.settings === this.settings.id;
        if (isOurs) {
            this.identity?.prepare();
            for (const [name, text] of Object.entries(settingsFiles(this.directories.kubelets, this.settings))) {
                const path = join(this.directories.kubelets, name);
                mkdirSync(dirname(path), { recursive: true });
                writeDurably(path, text, { mode: 0o600 });
            }
        } else {
            this.identity?.restore();
        }
        writeDurably(join(this.directories.kubelets, kubeletEnvFile), renderKubeletEnv(kubelet), { mode: 0o644 });
        if (isOurs) this.identity?.layAside();
        rmSync(join(this.directories.state, kubeletErrorFile), { force: true });
        writeDurably(join(this.directories.state, restartRequest), "");
    }

    #flagsOf({ settings }: Kubelet): readonly string[] {
        if (settings === this.settings.id) return this.settings.flags;
        const path = join(this.directories.kubelets, flagsFile(settings));
        return existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
    }

    #isProgramHere({ version, sha256 }: Kubelet): Promise<boolean> {
        return this.#hashes.has(this.#path(version), sha256);
    }

    #path(version: string): string {
        return join(this.directories.kubelets, version, "kubelet");
    }
}

export function renderKubeletEnv({ version, sha256, urls, settings }: Kubelet): string {
    return [
        `KUBELET_VERSION=${version}`,
        `KUBELET_SHA256=${sha256}`,
        `KUBELET_URLS="${urls.join(" ")}"`,
        `KUBELET_SETTINGS=${settings}`,
        "",
    ].join("\n");
}

export function parseKubeletEnv(text: string): Kubelet {
    const [, version, sha256, urls, settings] =
        /^KUBELET_VERSION=(.+)\nKUBELET_SHA256=(.+)\nKUBELET_URLS="(.*)"\nKUBELET_SETTINGS=(.+)\n$/.exec(text) ?? [];
    if (version === undefined || sha256 === undefined || urls === undefined || settings === undefined) {
        throw new Error(
            `${kubeletEnvFile} must contain a version, its SHA-256, its URLs and its settings (got ${text})`,
        );
    }
    return { version, sha256, urls: urls.split(" ").filter(Boolean), settings };
}
