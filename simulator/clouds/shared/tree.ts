/** What a metadata service tells: texts in folders of folders. */
export interface Tree {
    readonly [name: string]: string | Tree;
}

/** A text, or the names in a folder, one a line, folders with a slash behind; nothing if there is none. */
export function lookUp(tree: Tree, path: readonly string[]): string | undefined {
    const found = path.filter(Boolean).reduce<string | Tree | undefined>(inside, tree);
    if (found === undefined || typeof found === "string") return found;
    return Object.entries(found)
        .map(([name, each]) => (typeof each === "string" ? name : `${name}/`))
        .join("\n");
}

function inside(tree: string | Tree | undefined, name: string): string | Tree | undefined {
    return typeof tree === "object" && Object.hasOwn(tree, name) ? tree[name] : undefined;
}
