import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { removeDurably, writeDurably } from "../common/durable";
import { copyAnnotation, generationAnnotation } from "./plan";

const fileName = /^checkpoint-.+\.json$/;

/** The copies that the kubelet is to run: parent to generation. */
export function activeCopies(directory: string): Map<string, string> {
    const copies = readdirSync(directory)
        .filter((name) => fileName.test(name))
        .map((name) => JSON.parse(readFileSync(join(directory, name), "utf8")).metadata.annotations);
    return new Map(copies.map((annotations) => [annotations[copyAnnotation], annotations[generationAnnotation]]));
}

/** Has the kubelet run a copy. */
export function startCopy(directory: string, parent: string, manifest: string): void {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    // The kubelet would read a half-written file in its own directory.
    writeDurably(copyPath(directory, parent), manifest, { scratch: dirname(directory) });
}

/** Has the kubelet stop a copy, in the time that its parent's pod would have. */
export function stopCopy(directory: string, parent: string): void {
    removeDurably(copyPath(directory, parent));
}

/** No namespace has a dot in its name. */
function copyPath(directory: string, parent: string): string {
    return join(directory, `checkpoint-${parent.replace("/", ".")}.json`);
}
