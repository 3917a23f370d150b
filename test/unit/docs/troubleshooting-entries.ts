import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./pages";

/** An entry of the troubleshooting page below a heading. */
export interface Entry {
    readonly title: string;
    /** Quoted lines of all blocks. */
    readonly messages: readonly string[];
    /** Tests of the case, and goldens with the message. */
    readonly tried: readonly string[];
}

export function entriesOf(page: string): Entry[] {
    return page.split(/^##+ /m).map((text) => ({
        title: text.split("\n")[0]!,
        messages: [...text.matchAll(/^```\n([\s\S]*?)^```/gm)].flatMap(([, block]) => block!.trim().split("\n")),
        tried: [...(/^<!-- Tested: (.*) -->$/m.exec(text)?.[1] ?? "").matchAll(/`(test\/[^`]+)`/g)].map(
            ([, path]) => path!,
        ),
    }));
}

/** Fixed parts of a message. Parts of a word or two are omitted, as they are in every source. */
export function partsOf(message: string): string[] {
    return message
        .split("…")
        .map((part) => part.trim())
        .filter((part) => part.length > 6);
}

/** A source without quotes, line breaks and escapes of code. */
export function readable(paths: readonly string[]): string {
    return paths
        .map((path) => readFileSync(join(root, path), "utf8"))
        .join("\n")
        .replaceAll(/["`] ?\+?\s*\n\s*["`]/g, "")
        .replaceAll("\\", "");
}
