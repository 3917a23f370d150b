import { createHash } from "node:crypto";
import type { SnapshotManifest } from "../../agents/etcd-keeper/manifest";
import type { Controller } from "../recover/controller";

/** The whole snapshots in a controller's directory, oldest first. */
export async function snapshotsOn(controller: Controller, directory: string): Promise<SnapshotManifest[]> {
    const text = await controller.run(
        `for file in "$1"/*.json; do if [ -s "\${file%.json}.db" ]; then cat "$file"; printf '\\036'; fi; done`,
        [directory],
    );
    return parseManifests(text);
}

/** JSON texts, each ended by a record separator. */
export function parseManifests(text: string): SnapshotManifest[] {
    return text
        .split("\u001e")
        .filter((each) => each.trim() !== "")
        .map((each): SnapshotManifest => JSON.parse(each))
        .sort((a, b) => Date.parse(a.time) - Date.parse(b.time));
}

/** The bytes of a snapshot, checked against what the keeper wrote beside it. */
export async function fetchSnapshot(
    controller: Controller,
    directory: string,
    { name, sha256 }: SnapshotManifest,
): Promise<Buffer> {
    const bytes = Buffer.from(await controller.run('base64 "$1"', [`${directory}/${name}.db`]), "base64");
    const actual = createHash("sha256").update(bytes).digest("hex");
    if (actual !== sha256) {
        throw new Error(`${name}.db of ${controller.name} must have the SHA-256 ${sha256}, got ${actual}`);
    }
    return bytes;
}
