import { readFileSync } from "node:fs";
import { join } from "node:path";
import { circlesOf, type Import, importsOf, layerOf, productFiles, sourceFiles, upwardImports } from "./structure";

/** The size and shape of the production code of a checkout. */
export interface Numbers {
    readonly lines: number;
    readonly files: number;
    /** Mean lines per file. */
    readonly mean: number;
    /** Circular imports. */
    readonly circles: number;
    /** Imports that go up in `LAYERS`. */
    readonly arrowsUp: number;
    /** Lines that run on users' machines and nodes. */
    readonly product: number;
    /** Lines that only developers need. */
    readonly development: number;
}

/** Lines of a top-level folder. */
interface Folder {
    readonly product: number;
    readonly development: number;
}

export function numbersOf(root: string): Numbers {
    const files = sourceFiles(root);
    const imports = importsOf(root, files);
    const lines = files.reduce((sum, file) => sum + linesOf(join(root, file)), 0);
    return {
        lines,
        files: files.length,
        mean: Math.round(lines / files.length),
        circles: circlesOf(imports).length,
        arrowsUp: upwardImports(imports).length,
        ...addUp(Object.values(foldersOf(root, files, imports))),
    };
}

/** By top-level folder, largest first. */
function foldersOf(root: string, files: readonly string[], imports: readonly Import[]): Record<string, Folder> {
    const product = new Set(productFiles(files, imports));
    const folders = new Map<string, Folder>();
    for (const file of files) {
        const { product: own, development } = folders.get(layerOf(file)) ?? { product: 0, development: 0 };
        const count = linesOf(join(root, file));
        const isProduct = product.has(file);
        folders.set(layerOf(file), {
            product: own + (isProduct ? count : 0),
            development: development + (isProduct ? 0 : count),
        });
    }
    return Object.fromEntries([...folders].sort(([, a], [, b]) => b.product - a.product));
}

function addUp(folders: readonly Folder[]): Folder {
    const sum = (of: (folder: Folder) => number) => folders.reduce((all, each) => all + of(each), 0);
    return { product: sum((each) => each.product), development: sum((each) => each.development) };
}

/** `npm run numbers [-- CHECKOUT]`: prints the numbers of this checkout or another one. */
export async function main([root = join(__dirname, "..")]: readonly string[]): Promise<number> {
    console.table(numbersOf(root));
    const files = sourceFiles(root);
    console.table(foldersOf(root, files, importsOf(root, files)));
    return 0;
}

function linesOf(path: string): number {
    return readFileSync(path, "utf8").split("\n").length - 1;
}
