import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The checkout, whose Markdown files are the pages. */
export const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** Groups of pages, by path in the checkout. */
export const navigation = JSON.parse(readFileSync(join(root, "site/navigation.json"), "utf8"));

/** Every page of the site. */
export const pages = navigation.flatMap((group) => group.pages);

/** A page's first heading. */
export function titleOf(page) {
    const [, title = page] = /^# (.+)$/m.exec(readFileSync(join(root, page), "utf8")) ?? [];
    return title.replaceAll("`", "");
}

/** Anchor of a heading as on GitHub, which links use. */
export function anchorOf(heading) {
    return heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_ -]/gu, "")
        .replaceAll(" ", "-");
}
