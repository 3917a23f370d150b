/** Contents of a metadata service: texts in nested folders. */
export interface Tree {
    readonly [name: string]: string | Tree;
}

/**
 * A text, or the names in a folder, one per line, folders with a trailing slash; undefined if the path does not exist.
 */
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
