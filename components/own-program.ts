import { join, relative } from "node:path";

/**
 * The shell command that runs a program of this package, by its path without an ending: `machines/cli`.
 *
 * Relative to the program's directory, where Pulumi runs plugins too, so that a moved checkout shows
 * no difference in preview.
 */
export function ownProgram(path: string): string {
    const isSource = __filename.endsWith(".ts");
    const program = join(__dirname, "..", `${path}.${isSource ? "ts" : "js"}`);
    return `node ${isSource ? "--require tsx/cjs " : ""}${relative(process.cwd(), program)}`;
}
