import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

export const root = resolve(__dirname, "../../..");

/** Pages for users, by path in the checkout. */
export const pages: readonly string[] = [
    ...readdirSync(root).filter((name) => name.endsWith(".md")),
    "artifacts/README.md",
    ...["docs", "examples"].flatMap((folder) =>
        readdirSync(join(root, folder))
            .filter((name) => name.endsWith(".md"))
            .map((name) => `${folder}/${name}`),
    ),
];

export function textOf(page: string): string {
    return readFileSync(join(root, page), "utf8");
}

/** Targets of a page's links and pictures, except in code. */
export function linksOf(page: string): string[] {
    const prose = textOf(page)
        .replace(/^(```|~~~)[\s\S]*?^\1/gm, "")
        .replace(/`[^`\n]*`(?!\])/g, "");
    return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);
}

/** GitHub's anchors of a page's headings. */
export function anchorsOf(page: string): Set<string> {
    const headings = [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!);
    return new Set(
        headings.map((heading) =>
            heading
                .toLowerCase()
                .replace(/[^\p{L}\p{N}_ -]/gu, "")
                .replaceAll(" ", "-"),
        ),
    );
}

/** Lines of code on a page, in blocks and inline. */
export function commandsOf(page: string): string[] {
    const text = textOf(page);
    const blocks = [...text.matchAll(/^```[^\n]*\n([\s\S]*?)^```/gm)].flatMap(([, block]) => block!.split("\n"));
    const indented = [...text.matchAll(/^ {4}((?:[A-Z_]+=\S+ )*(?:npm|npx|pulumi|tradewind) .+)$/gm)].map(
        ([, line]) => line!,
    );
    const inline = [...text.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!);
    return [...blocks, ...indented, ...inline]
        .flatMap((line) => line.split(" && "))
        .map((line) => line.trim().replace(/^\$ |^(?:[A-Z_]+=\S+ )+/, ""));
}
