import { copyFileSync, existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { root } from "./pages.js";

/** Paths of linked files in the checkout that are not pages. */
const linked = new Set();

/** Points links to source files at copies of them, and removes links to folders, which the site does not list. */
export function sourceLinks(md) {
    const open =
        md.renderer.rules.link_open ?? ((tokens, index, options, _, self) => self.renderToken(tokens, index, options));
    md.renderer.rules.link_open = (tokens, index, options, env, self) => {
        const link = tokens[index];
        const path = sourcePath(link.attrGet("href") ?? "", env.path);
        if (path !== undefined) {
            if (statSync(join(root, path)).isDirectory()) {
                link.attrs = null;
            } else {
                linked.add(path);
                // As text, regardless of its extension, so that the site does not load it as its own.
                link.attrSet("href", `/source/${path}.txt`);
                link.attrSet("target", "_blank");
            }
        }
        return open(tokens, index, options, env, self);
    };
}

/** Copies the linked files into the built site. */
export function copySources(site) {
    for (const path of linked) {
        const copy = join(site, "source", `${path}.txt`);
        mkdirSync(dirname(copy), { recursive: true });
        copyFileSync(join(root, path), copy);
    }
}

function sourcePath(href, page) {
    if (/^([a-z]+:|#|\/)/.test(href) || /\.md(#|$)/.test(href)) return undefined;
    const path = relative(root, resolve(dirname(page), href.split("#")[0]));
    return existsSync(join(root, path)) ? path : undefined;
}
