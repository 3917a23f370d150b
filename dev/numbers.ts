import { readFileSync } from "node:fs";
import { join } from "node:path";
import { circlesOf, importsOf, sourceFiles, upwardImports } from "./structure";

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
    };
}

/** `npm run numbers [-- CHECKOUT]`: prints the numbers of this checkout or another one. */
export async function main([root = join(__dirname, "..")]: readonly string[]): Promise<number> {
    console.table(numbersOf(root));
    return 0;
}

function linesOf(path: string): number {
    return readFileSync(path, "utf8").split("\n").length - 1;
}
