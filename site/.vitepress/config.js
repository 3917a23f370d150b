import { readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { anchorOf, navigation, pages, root, titleOf } from "../pages.js";
import { copySources, sourceLinks } from "../source-links.js";

const packageFolder = (name) => dirname(fileURLToPath(import.meta.resolve(`${name}/package.json`)));
const firstPage = "/docs/README";

/** Folders without pages: the site includes every Markdown file that is not excluded. */
const others = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !pages.some((page) => page.startsWith(`${entry.name}/`)))
    .map(({ name }) => `${name}/**`);

/** Renders indented code blocks like fenced ones. */
function indentedCode(md) {
    md.renderer.rules.code_block = (tokens, index, ...rest) => {
        tokens[index].info = "sh";
        return md.renderer.rules.fence(tokens, index, ...rest);
    };
}

/** Allows line breaks in keys and paths, after separators. */
function breakingKeys(md) {
    const { code_inline } = md.renderer.rules;
    md.renderer.rules.code_inline = (...args) =>
        code_inline(...args).replace(/(?<=[\w\]>][./-]|\[\])(?=[\w<])/g, "<wbr>");
}

/** Removes comments, which are for tests: with `html: false` they would be text. */
function withoutComments(md) {
    md.core.ruler.before("normalize", "comments", (state) => {
        state.src = state.src.replace(/^<!--[\s\S]*?-->$/gm, "");
    });
}

export default defineConfig({
    title: "Tradewind",
    description: "Self-hosted Kubernetes, provisioned and kept current by Pulumi",
    lang: "en",
    srcDir: root,
    srcExclude: [...others, "NOTE-*.md"],
    outDir: join(root, "dist/site"),
    cacheDir: join(root, "site/node_modules/.vitepress"),
    // Broken links fail the build; check-links.js checks anchors.
    ignoreDeadLinks: false,
    markdown: {
        anchor: { slugify: anchorOf },
        config: (md) => {
            // Pages are plain Markdown: `<name>` in them is text.
            md.set({ html: false });
            withoutComments(md);
            sourceLinks(md);
            indentedCode(md);
            breakingKeys(md);
        },
    },
    // Pages that consist of tables use the full width.
    transformPageData: ({ relativePath }) =>
        /^docs\/(reference|permissions)\.md$/.test(relativePath) ? { frontmatter: { aside: false } } : undefined,
    themeConfig: {
        logoLink: firstPage,
        nav: [
            { text: "Get started", link: firstPage },
            { text: "Configuration", link: "/docs/reference" },
            { text: "Troubleshooting", link: "/docs/troubleshooting" },
        ],
        sidebar: navigation.map(({ text, pages: own }) => ({
            text,
            collapsed: false,
            items: own.map((page) => ({ text: titleOf(page), link: `/${page.replace(/\.md$/, "")}` })),
        })),
        outline: [2, 3],
        search: { provider: "local" },
    },
    // Pages are compiled to Vue programs, but are not located next to the packages.
    vite: { resolve: { alias: { vue: packageFolder("vue") } } },
    buildEnd: ({ outDir }) => {
        copySources(outDir);
        const to = `.${firstPage}.html`;
        writeFileSync(
            join(outDir, "index.html"),
            `<!doctype html><meta charset="utf-8"><title>Tradewind</title><meta http-equiv="refresh" content="0; url=${to}"><a href="${to}">Tradewind</a>\n`,
        );
    },
});
