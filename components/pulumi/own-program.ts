import { createRequire } from "node:module";
import { join, relative } from "node:path";

const ROOT = join(__dirname, "../..");

/**
 * Shell command that runs a program of this package, given by path without extension: `machines/cli`.
 *
 * Relative to the program's directory, where Pulumi also runs plugins, so that a moved checkout shows no difference at
 * preview.
 */
export function ownProgram(path: string): string {
    const isSource = __filename.endsWith(".ts");
    const program = join(ROOT, `${path}.${isSource ? "ts" : "js"}`);
    return ["node", ...(isSource ? ["--require", loader()] : []), placeOf(program, process.cwd())].join(" ");
}

/** By name if the program's directory can resolve it, as for a stack; a program in another language cannot. */
function loader(): string {
    try {
        createRequire(join(process.cwd(), "program.js")).resolve("tsx/cjs");
        return "tsx/cjs";
    } catch {
        return placeOf(require.resolve("tsx/cjs"), process.cwd());
    }
}

/** What Pulumi installed is found through the home directory of the current user, not of the user who ran `up`. */
export function placeOf(file: string, directory: string): string {
    const [, installed] = /[\\/](plugins[\\/]resource-[^\\/]+-v\d[^\\/]*[\\/].+)$/.exec(file) ?? [];
    return installed ? `"\${PULUMI_HOME:-$HOME/.pulumi}/${installed}"` : relative(directory, file);
}
