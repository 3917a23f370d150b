import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { removeDurably, writeIfOther } from "../harness/durable";
import { copyAnnotation, copyFileName, generationAnnotation } from "./plan";

const fileName = /^checkpoint-.+\.json$/;

/** Names of the files of all copies, readable or not. */
export function copiesIn(directory: string): string[] {
    return readdirSync(directory).filter((name) => fileName.test(name));
}

/** The copies installed for the kubelet: parent to generation. */
export function activeCopies(directory: string): Map<string, string> {
    return new Map(copiesIn(directory).flatMap((name) => readCopy(join(directory, name))));
}

/** The kubelet runs nothing from an unreadable file, so it is removed: the copy may be needed. */
function readCopy(path: string): (readonly [string, string])[] {
    try {
        const { annotations } = JSON.parse(readFileSync(path, "utf8")).metadata;
        const [parent, generation] = [annotations[copyAnnotation], annotations[generationAnnotation]];
        if (path.endsWith(`/${copyFileName(parent)}`)) return [[parent, generation]];
    } catch {
        // Not a pod.
    }
    removeDurably(path);
    return [];
}

/** Installs a copy for the kubelet. Returns whether anything changed. */
export function startCopy(directory: string, parent: string, manifest: string): boolean {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    // Written elsewhere first, since the kubelet would read a partial file in its own directory.
    return writeIfOther(join(directory, copyFileName(parent)), manifest, { scratch: dirname(directory) });
}

/** Removes a copy, so that the kubelet stops it within the grace period of its parent's pod. Returns whether it existed. */
export function stopCopy(directory: string, parent: string): boolean {
    return removeDurably(join(directory, copyFileName(parent)));
}
