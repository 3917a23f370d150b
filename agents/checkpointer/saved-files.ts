import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import type { PodSpec } from "../../clients/kubernetes/objects";
import type { SavedVolume } from "./sanitise";

/** A file of a volume as the pod's process sees it. */
export interface SavedFile {
    /** Relative to the volume. */
    readonly path: string;
    readonly mode: number;
    readonly uid: number;
    readonly gid: number;
    readonly content: Buffer;
}

export interface VolumeFiles {
    readonly files: readonly SavedFile[];
    /** When the kubelet wrote them: milliseconds since 1970. */
    readonly since: number;
}

/**
 * The files of a volume, from where the kubelet stored them for the running pod.
 *
 * Not from the API: this needs no permission to read Secrets, the keys, modes and `items` are as the pod has them, and
 * one directory is one version, so that a certificate and its key match.
 */
export function readVolume(podDirectory: string, { name, plugin }: SavedVolume): VolumeFiles {
    const volume = join(podDirectory, "volumes", plugin, name);
    const version = readlinkSync(join(volume, "..data"));
    const root = join(volume, version);
    const files = readdirSync(root, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry): SavedFile => {
            const path = join(entry.parentPath, entry.name);
            const { mode, uid, gid } = statSync(path);
            return { path: relative(root, path), mode: mode & 0o777, uid, gid, content: readFileSync(path) };
        })
        .sort((a, b) => (a.path < b.path ? -1 : 1));
    return { files, since: statSync(root).mtimeMs };
}

/**
 * The same file for a copy's volume, whose owner and group the kubelet does not set.
 *
 * If all containers run as one user, the file is readable only by that user. Otherwise its mode is kept; only root can
 * access the directory of all checkpoints.
 */
export function ownedFile(file: SavedFile, spec: PodSpec): SavedFile {
    const users = [...(spec.initContainers ?? []), ...spec.containers].map(
        ({ securityContext }) => securityContext?.runAsUser ?? spec.securityContext?.runAsUser,
    );
    const [user] = users;
    if (user === undefined || users.some((other) => other !== user)) {
        return file;
    }
    const mode = ((file.mode | (file.mode << 3)) & 0o700) | 0o400;
    return { ...file, mode, uid: user, gid: user };
}
