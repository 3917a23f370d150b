import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { removeDurably, writeDurably } from "../harness/durable";
import { copyAnnotation, copyFileName, generationAnnotation } from "./plan";

const fileName = /^checkpoint-.+\.json$/;

/** The copies that the kubelet is to run: parent to generation. */
export function activeCopies(directory: string): Map<string, string> {
    const copies = readdirSync(directory).filter((name) => fileName.test(name));
    return new Map(copies.flatMap((name) => readCopy(join(directory, name))));
}

/** The kubelet runs nothing from a file that can't be read, so it is taken away: the copy may be needed. */
function readCopy(path: string): (readonly [string, string])[] {
    try {
        const { annotations } = JSON.parse(readFileSync(path, "utf8")).metadata;
        const [parent, generation] = [annotations[copyAnnotation], annotations[generationAnnotation]];
        if (path.endsWith(`/${copyFileName(parent)}`)) return [[parent, generation]];
    } catch {
        // It is no pod.
    }
    removeDurably(path);
    return [];
}

/** Has the kubelet run a copy. */
export function startCopy(directory: string, parent: string, manifest: string): void {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    // The kubelet would read a half-written file in its own directory.
    writeDurably(join(directory, copyFileName(parent)), manifest, { scratch: dirname(directory) });
}

/** Has the kubelet stop a copy, in the time that its parent's pod would have. */
export function stopCopy(directory: string, parent: string): void {
    removeDurably(join(directory, copyFileName(parent)));
}
