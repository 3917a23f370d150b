// Fails if a page of the built site links to a missing page, heading, picture or file.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./pages.js";

const site = join(root, "dist/site");
const pages = readdirSync(site, { recursive: true }).filter((name) => name.endsWith(".html"));
const texts = new Map(pages.map((page) => [page, readFileSync(join(site, page), "utf8")]));
const idsOf = (page) => new Set([...(texts.get(page) ?? "").matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
const ids = new Map(pages.map((page) => [page, idsOf(page)]));

const broken = pages.flatMap((page) =>
    [...texts.get(page).matchAll(/ (?:href|src)="([^"]+)"/g)]
        .map(([, target]) => target.replaceAll("&amp;", "&"))
        .filter((target) => !/^([a-z]+:|\/\/)/.test(target))
        .filter((target) => !leads(page, target))
        .map((target) => `${page}: ${target}`),
);
if (broken.length > 0) {
    console.error(`broken links:\n${broken.join("\n")}`);
    process.exit(1);
}
console.log(`${pages.length} pages without broken links`);

function leads(page, target) {
    const [path, anchor] = decodeURIComponent(target).split("#");
    const file = path === "" ? page : path.startsWith("/") ? path.slice(1) : join(dirname(page), path);
    const known = texts.has(file) ? file : `${file}.html`;
    if (!existsSync(join(site, file)) && !texts.has(known)) return false;
    return !anchor || !texts.has(known) || ids.get(known).has(anchor);
}
