import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { syncDirectory, writeDurably } from "../../common/durable";
import type { Step } from "../run";

/** Puts the secrets where the temporary static pods mount them: the whole set or none of it. */
export const installSecrets: Step = {
    name: "install-secrets",
    run: async ({ plan, state }) => {
        if (!state.needsTemporary) {
            return "not needed";
        }
        const source = join(plan.directories.assets, "secrets");
        const target = plan.directories.secrets;
        const files = listFiles(source);
        if (existsSync(target) && isSame(source, target, files)) {
            return `${files.length} files were there`;
        }
        const next = `${target}.next`;
        rmSync(next, { recursive: true, force: true });
        mkdirSync(next, { recursive: true, mode: 0o700 });
        for (const file of files) {
            mkdirSync(dirname(join(next, file)), { recursive: true, mode: 0o700 });
            writeDurably(join(next, file), readFileSync(join(source, file), "utf8"));
        }
        // No directory can be renamed over a full one. Nobody looks in between: without the new set there is no static pod.
        rmSync(target, { recursive: true, force: true });
        renameSync(next, target);
        syncDirectory(dirname(target));
        return `${files.length} files in ${target}`;
    },
};

function isSame(source: string, target: string, files: readonly string[]): boolean {
    const there = listFiles(target);
    const read = (directory: string, file: string) => readFileSync(join(directory, file), "utf8");
    return there.join("\n") === files.join("\n") && files.every((file) => read(source, file) === read(target, file));
}

/** Relative paths of all files below a directory, sorted. */
function listFiles(directory: string, prefix = ""): string[] {
    const entries = readdirSync(join(directory, prefix), { withFileTypes: true });
    return entries
        .flatMap((entry) =>
            entry.isDirectory() ? listFiles(directory, join(prefix, entry.name)) : [join(prefix, entry.name)],
        )
        .sort();
}
