import { createHash } from "node:crypto";
import type { SnapshotManifest } from "../../agents/etcd/keeper/directory";
import type { Controller } from "../reach/controller";

/** The complete snapshots in a controller's directory, oldest first. */
export async function snapshotsOn(
    controller: Controller,
    directory: string,
    say = (line: string): unknown => process.stderr.write(`${line}\n`),
): Promise<SnapshotManifest[]> {
    const text = await controller.run(
        `for file in "$1"/*.json; do if [ -s "\${file%.json}.db" ]; then echo "\${file##*/}"; cat "$file"; printf '\\036'; fi; done`,
        [directory],
    );
    const { manifests, damaged } = parseManifests(text);
    if (damaged.length > 0) {
        say(`${controller.name}: left out snapshots whose description is damaged: ${damaged.join(", ")}`);
    }
    return manifests;
}

/**
 * The newest snapshot of a cluster in the directories of machines, which may have some of other clusters; of two of one
 * time, that of the first machine.
 */
export async function newestSnapshot(cluster: string, machines: readonly Controller[], directory: string) {
    const all = await Promise.all(
        machines.map(async (machine) =>
            (await snapshotsOn(machine, directory)).map((manifest) => ({ machine, manifest })),
        ),
    );
    const time = ({ manifest }: { readonly manifest: SnapshotManifest }) => Date.parse(manifest.time);
    const own = all.flat().filter(({ manifest }) => manifest.cluster === cluster);
    return own.sort((one, other) => time(other) - time(one))[0];
}

/** @param text - names of files, each with a line end, its contents and a record separator */
export function parseManifests(text: string): { manifests: SnapshotManifest[]; damaged: string[] } {
    const all = text
        .split("\u001e")
        .filter((each) => each.trim() !== "")
        .map((each) => {
            const [, file = "", contents = ""] = /^\s*([^\n]*)\n(.*)$/s.exec(each) ?? [];
            return { file, manifest: parseManifest(contents) };
        });
    const manifests = all.flatMap(({ manifest }) => manifest ?? []);
    return {
        manifests: manifests.sort((a, b) => Date.parse(a.time) - Date.parse(b.time)),
        damaged: all.filter(({ manifest }) => manifest === undefined).map(({ file }) => file),
    };
}

/** @returns undefined for what a power cut or a disk has damaged */
function parseManifest(text: string): SnapshotManifest | undefined {
    try {
        const manifest: SnapshotManifest = JSON.parse(text);
        return manifest.name && manifest.sha256 && !Number.isNaN(Date.parse(manifest.time)) ? manifest : undefined;
    } catch {
        return undefined;
    }
}

/**
 * Bytes of a snapshot that are downloaded at once: what a script prints is limited, and on a local machine also its time.
 */
const mostAtOnce = 64 * 2 ** 20;

/** A file's bytes from a position, the first of which is 1, and up to a number. It fails if the file cannot be opened. */
const part = 'exec <"$1"; tail -c "+$2" | head -c "$3" | base64';

/** Downloads a snapshot, and verifies it against the keeper's manifest. */
export async function fetchSnapshot(
    controller: Controller,
    directory: string,
    { name, sha256 }: SnapshotManifest,
    atOnce = mostAtOnce,
): Promise<Buffer> {
    const parts: Buffer[] = [];
    do {
        const args = [`${directory}/${name}.db`, `${parts.length * atOnce + 1}`, `${atOnce}`];
        parts.push(Buffer.from(await controller.run(part, args), "base64"));
    } while (parts.at(-1)!.length === atOnce);
    const bytes = Buffer.concat(parts);
    const actual = createHash("sha256").update(bytes).digest("hex");
    if (actual !== sha256) {
        throw new Error(`${name}.db of ${controller.name} has the wrong SHA-256 (expected ${sha256}, got ${actual})`);
    }
    return bytes;
}
