import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./pages";

/** What the page about troubles says below a heading. */
export interface Entry {
    readonly title: string;
    /** Lines that are quoted, of all blocks. */
    readonly messages: readonly string[];
    /** Tests that make the case, and goldens that have the message. */
    readonly tried: readonly string[];
}

export function entriesOf(page: string): Entry[] {
    return page.split(/^##+ /m).map((text) => ({
        title: text.split("\n")[0]!,
        messages: [...text.matchAll(/^```\n([\s\S]*?)^```/gm)].flatMap(([, block]) => block!.trim().split("\n")),
        tried: [...(/^_Tested_: (.*)$/m.exec(text)?.[1] ?? "").matchAll(/`(test\/[^`]+)`/g)].map(([, path]) => path!),
    }));
}

/** Parts of a message between what varies. Of a part that is a word or two, every source has some. */
export function partsOf(message: string): string[] {
    return message
        .split("…")
        .map((part) => part.trim())
        .filter((part) => part.length > 6);
}

/** A source without quotes, line ends and escapes that only a source has. */
export function readable(paths: readonly string[]): string {
    return paths
        .map((path) => readFileSync(join(root, path), "utf8"))
        .join("\n")
        .replaceAll(/["`] ?\+?\s*\n\s*["`]/g, "")
        .replaceAll("\\", "");
}
