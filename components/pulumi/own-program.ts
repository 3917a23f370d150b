import { createRequire } from "node:module";
import { join, relative } from "node:path";

const ROOT = join(__dirname, "../..");

/**
 * The shell command that runs a program of this package, by its path without an ending: `machines/cli`.
 *
 * Relative to the program's directory, where Pulumi runs plugins too, so that a moved checkout shows
 * no difference in preview.
 */
export function ownProgram(path: string): string {
    const isSource = __filename.endsWith(".ts");
    const program = join(ROOT, `${path}.${isSource ? "ts" : "js"}`);
    return ["node", ...(isSource ? ["--require", loader()] : []), placeOf(program, process.cwd())].join(" ");
}

/** By its name where the program's directory has it, as a stack's does; that of a program in another language has not. */
function loader(): string {
    try {
        createRequire(join(process.cwd(), "program.js")).resolve("tsx/cjs");
        return "tsx/cjs";
    } catch {
        return placeOf(require.resolve("tsx/cjs"), process.cwd());
    }
}

/** What Pulumi itself installed is found by everybody's own home, and not by that of whoever ran `up`. */
export function placeOf(file: string, directory: string): string {
    const [, installed] = /[\\/](plugins[\\/]resource-[^\\/]+-v\d[^\\/]*[\\/].+)$/.exec(file) ?? [];
    return installed ? `"\${PULUMI_HOME:-$HOME/.pulumi}/${installed}"` : relative(directory, file);
}
