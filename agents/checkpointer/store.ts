import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { NodePod } from "../../clients/kubernetes/kubelet-api";
import type { HttpGet } from "../../clients/kubernetes/objects";
import { removeDurably, replaceLink, syncDirectory, writeDurably } from "../harness/durable";
import type { Draft } from "./draft";
import { bootMarker } from "./plan";
import type { SavedFile } from "./saved-files";

/** Metadata of a saved checkpoint: `checkpoint.json` next to its manifest. */
export interface Checkpoint {
    readonly parent: string;
    readonly generation: string;
    /** ISO 8601, UTC. */
    readonly savedAt: string;
    /** Name and UID of the pod that it is a copy of. */
    readonly pod: string;
    readonly uid: string;
    readonly address?: string;
    readonly overlaps: boolean;
    /** Missing in checkpoints of an older checkpointer. */
    readonly needsApi?: boolean;
    readonly endpoints: readonly HttpGet[];
}

/** Number of checkpoints kept per parent, including the current one. */
export const keptGenerations = 3;

const currentLink = "current";

/**
 * The checkpoints on disk: `<namespace>/<name>/<generation>/`, complete or absent.
 *
 * A generation is fully written and synced before the link `current` is renamed to it, so a power cut at any moment
 * leaves the old one or the new one. Generations are immutable.
 */
export class Store {
    constructor(
        /** Accessible only to root: it contains the keys of the control plane. */
        readonly directory: string,
    ) {
        mkdirSync(directory, { recursive: true, mode: 0o700 });
        chmodSync(directory, 0o700);
    }

    /** The current checkpoint of every parent. Unreadable ones are skipped. */
    all(): Checkpoint[] {
        return this.#parents().flatMap((parent) => {
            const checkpoint = this.current(parent);
            return checkpoint?.parent === parent ? [checkpoint] : [];
        });
    }

    current(parent: string): Checkpoint | undefined {
        try {
            return JSON.parse(readFileSync(join(this.directory, parent, currentLink, "checkpoint.json"), "utf8"));
        } catch {
            return undefined;
        }
    }

    /** The static pod manifest of the parent's current checkpoint. */
    manifest(parent: string): string {
        return readFileSync(join(this.directory, parent, currentLink, "pod.json"), "utf8");
    }

    /** Names of the containers of the parent's current checkpoint; none if it can't be read. */
    containers(parent: string): readonly string[] {
        try {
            const { spec } = JSON.parse(this.manifest(parent)) as Pick<NodePod, "spec">;
            return spec.containers.map(({ name }) => name);
        } catch {
            return [];
        }
    }

    /** @param inUse - generation whose volumes a running copy uses */
    save(draft: Draft, now: Date, inUse?: string): Checkpoint {
        const { parent, generation, pod, uid, address, overlaps, needsApi, endpoints } = draft;
        const home = join(this.directory, parent);
        const directory = join(home, generation);
        const savedAt = now.toISOString();
        const checkpoint = { parent, generation, savedAt, pod, uid, address, overlaps, needsApi, endpoints };
        const isWhole = existsSync(join(directory, "checkpoint.json"));
        if (!isWhole) {
            // Leftovers of an earlier attempt interrupted by a power cut.
            rmSync(directory, { recursive: true, force: true });
            mkdirSync(join(directory, volumesDirectory), { recursive: true, mode: 0o755 });
            for (const [volume, files] of Object.entries(draft.files)) {
                writeVolume(join(directory, volumesDirectory, volume), files);
            }
            syncDirectory(join(directory, volumesDirectory));
            const manifest = draft.manifest(join(directory, volumesDirectory));
            writeDurably(join(directory, "pod.json"), `${JSON.stringify(manifest, null, 2)}\n`);
            if (overlaps && !needsApi) {
                writeDurably(join(directory, bootMarker), "");
            }
        }
        // Written last: marks the generation as complete.
        writeDurably(join(directory, "checkpoint.json"), `${JSON.stringify(checkpoint, null, 2)}\n`);
        syncDirectory(home);
        replaceLink(join(home, currentLink), generation);
        this.#prune(parent, generation, inUse);
        return checkpoint;
    }

    /** Removes all checkpoints of a parent. */
    forget(parent: string): void {
        const home = join(this.directory, parent);
        removeDurably(join(home, currentLink));
        rmSync(home, { recursive: true, force: true });
        syncDirectory(dirname(home));
    }

    #parents(): string[] {
        const directories = (path: string) =>
            readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
        return directories(this.directory).flatMap((namespace) =>
            directories(join(this.directory, namespace)).map((name) => `${namespace}/${name}`),
        );
    }

    /**
     * Keeps the newest generations: the current one, whatever the clock said when the others were saved, and the one that
     * a copy runs from.
     */
    #prune(parent: string, current: string, inUse?: string): void {
        const home = join(this.directory, parent);
        const names = readdirSync(home).filter((name) => name !== currentLink && name !== current);
        const savedAt = (name: string) => {
            try {
                return (JSON.parse(readFileSync(join(home, name, "checkpoint.json"), "utf8")) as Checkpoint).savedAt;
            } catch {
                return "";
            }
        };
        const byAge = names.map((name) => ({ name, age: savedAt(name) })).sort((a, b) => (a.age < b.age ? 1 : -1));
        for (const { name } of byAge.slice(keptGenerations - 1)) {
            if (name !== inUse) {
                rmSync(join(home, name), { recursive: true, force: true });
            }
        }
    }
}

const volumesDirectory = "volumes";

function writeVolume(directory: string, files: readonly SavedFile[]): void {
    mkdirSync(directory, { recursive: true, mode: 0o755 });
    for (const { path, mode, uid, gid, content } of files) {
        const target = join(directory, path);
        mkdirSync(dirname(target), { recursive: true, mode: 0o755 });
        writeDurably(target, content, { mode, owner: { uid, gid } });
    }
    syncDirectory(directory);
}
