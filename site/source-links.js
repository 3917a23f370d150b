import { copyFileSync, existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { root } from "./pages.js";

/** Files of the checkout that pages link to, and that are no pages: by their paths. */
const linked = new Set();

/** Has links to source files lead to copies of them, and takes links from folders: a site lists none. */
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
                // Text, whatever its name says, and nothing that the site itself would load.
                link.attrSet("href", `/source/${path}.txt`);
                link.attrSet("target", "_blank");
            }
        }
        return open(tokens, index, options, env, self);
    };
}

/** Puts the files that were linked into the built site. */
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
