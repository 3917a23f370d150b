import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { NodePod } from "../../clients/kubernetes/kubelet-api";
import type { HttpGet } from "../../clients/kubernetes/objects";
import { replaceLink, syncDirectory, writeDurably } from "../harness/durable";
import type { Draft } from "./draft";
import { bootMarker, checkpointFiles } from "./plan";
import type { SavedFile } from "./saved-files";
import { type Damage, damageOf, seal, sumsOf, unseal } from "./seal";

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
 * leaves the old one or the new one. Generations are immutable. Disks are not: see `verify`.
 */
export class Store {
    /** What `verify` found, by parent. */
    readonly #verified = new Map<string, { readonly whole: readonly string[]; readonly damage: readonly Damage[] }>();

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
        return this.#read(parent, currentLink);
    }

    #read(parent: string, generation: string): Checkpoint | undefined {
        try {
            return unseal(readFileSync(join(this.directory, parent, generation, checkpointFiles.metadata), "utf8"));
        } catch {
            return undefined;
        }
    }

    /**
     * Compares every file with its SHA-256. If a parent's current checkpoint is damaged, its newest whole one becomes
     * current. If none is whole, none is current.
     *
     * @throws after all parents, if that failed for one of them
     */
    verify(): void {
        const errors: unknown[] = [];
        for (const parent of this.#parents()) {
            try {
                this.verifyParent(parent);
            } catch (error) {
                errors.push(error);
            }
        }
        if (errors.length > 0) throw errors[0];
    }

    verifyParent(parent: string): void {
        const home = join(this.directory, parent);
        const generations = this.#generations(parent);
        const damage = generations.flatMap((generation) => damageOf(home, generation));
        const whole = generations.filter((generation) => !damage.some((each) => each.generation === generation));
        this.#verified.set(parent, { whole, damage });
        const link = join(home, currentLink);
        const current = targetOf(link);
        if (current !== undefined && whole.includes(current)) return;
        const [newest] = this.#byAge(parent, whole);
        if (newest !== undefined || lstatSync(link, { throwIfNoEntry: false }) !== undefined) point(link, newest);
    }

    /** What the last `verify` found damaged: it remains until the parent's pod is saved. */
    damage(parent: string): readonly Damage[] {
        return this.#verified.get(parent)?.damage ?? [];
    }

    /** Parents with a damaged checkpoint. */
    damaged(): string[] {
        return [...this.#verified].filter(([, { damage }]) => damage.length > 0).map(([parent]) => parent);
    }

    /** Whether the last `verify` found this checkpoint whole. */
    isWhole(parent: string, generation: string): boolean {
        return this.#verified.get(parent)?.whole.includes(generation) ?? false;
    }

    /** The static pod manifest of the parent's current checkpoint. */
    manifest(parent: string): string {
        return readFileSync(join(this.directory, parent, currentLink, checkpointFiles.manifest), "utf8");
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
        if (!existsSync(directory) || damageOf(home, generation).length > 0) {
            // Damaged, or leftovers of an earlier attempt interrupted by a power cut.
            rmSync(directory, { recursive: true, force: true });
            write(directory, draft);
        }
        // Written last: marks the generation as complete.
        writeDurably(join(directory, checkpointFiles.metadata), seal(checkpoint));
        syncDirectory(home);
        point(join(home, currentLink), generation);
        this.verifyParent(parent);
        this.#prune(parent, generation, inUse);
        return checkpoint;
    }

    /** Removes all checkpoints of a parent. */
    forget(parent: string): void {
        const home = join(this.directory, parent);
        point(join(home, currentLink));
        rmSync(home, { recursive: true, force: true });
        syncDirectory(dirname(home));
        this.#verified.delete(parent);
    }

    #parents(): string[] {
        const directories = (path: string) =>
            readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
        return directories(this.directory).flatMap((namespace) =>
            directories(join(this.directory, namespace)).map((name) => `${namespace}/${name}`),
        );
    }

    #generations(parent: string): string[] {
        return readdirSync(join(this.directory, parent), { withFileTypes: true }).flatMap(({ name }) =>
            name === currentLink || name.startsWith(".") ? [] : [name],
        );
    }

    /** Newest first. */
    #byAge(parent: string, generations: readonly string[]): string[] {
        const age = (generation: string) => this.#read(parent, generation)?.savedAt ?? "";
        return [...generations].sort((a, b) => (age(a) < age(b) ? 1 : -1));
    }

    /**
     * Keeps the newest whole generations: the current one, whatever the clock said when the others were saved, and the
     * one that a copy runs from.
     */
    #prune(parent: string, current: string, inUse?: string): void {
        const { whole, damage } = this.#verified.get(parent)!;
        const others = whole.filter((name) => name !== current);
        const kept = [current, ...this.#byAge(parent, others).slice(0, keptGenerations - 1), inUse];
        for (const name of this.#generations(parent).filter((each) => !kept.includes(each))) {
            rmSync(join(this.directory, parent, name), { recursive: true, force: true });
        }
        this.#verified.set(parent, {
            whole: whole.filter((name) => kept.includes(name)),
            damage: damage.filter(({ generation }) => kept.includes(generation)),
        });
    }
}

/** Makes a generation current, whatever is in the place of the link, or none. */
function point(link: string, generation?: string): void {
    if (generation === undefined || targetOf(link) === undefined) rmSync(link, { recursive: true, force: true });
    if (generation !== undefined) replaceLink(link, generation);
    syncDirectory(dirname(link));
}

/** Target of a link; undefined if it is none. */
function targetOf(link: string): string | undefined {
    try {
        return readlinkSync(link);
    } catch {
        return undefined;
    }
}

const volumesDirectory = "volumes";

/** Everything of a checkpoint but its metadata. */
function write(directory: string, { files, manifest, startsAtBoot }: Draft): void {
    const volumes = join(directory, volumesDirectory);
    mkdirSync(volumes, { recursive: true, mode: 0o755 });
    const written = new Map<string, string | Uint8Array>();
    for (const [volume, own] of Object.entries(files)) {
        writeVolume(join(volumes, volume), own);
        for (const { path, content } of own) written.set(join(volumesDirectory, volume, path), content);
    }
    syncDirectory(volumes);
    const text = `${JSON.stringify(manifest(volumes), null, 2)}\n`;
    writeDurably(join(directory, checkpointFiles.manifest), text);
    if (startsAtBoot) {
        writeDurably(join(directory, bootMarker), "");
        written.set(bootMarker, "");
    }
    writeDurably(join(directory, checkpointFiles.sums), sumsOf(text, written));
}

function writeVolume(directory: string, files: readonly SavedFile[]): void {
    mkdirSync(directory, { recursive: true, mode: 0o755 });
    for (const { path, mode, uid, gid, content } of files) {
        const target = join(directory, path);
        mkdirSync(dirname(target), { recursive: true, mode: 0o755 });
        writeDurably(target, content, { mode, owner: { uid, gid } });
    }
    syncDirectory(directory);
}
