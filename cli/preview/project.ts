import { execFileSync } from "node:child_process";
import { readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { parse } from "yaml";
import { stackFilesIn } from "../updates/find-files";
import { UsageError } from "../usage-error";
import { stackOfFile, touchedStacks } from "./touched-stacks";

/** The name of the Pulumi project in a folder. */
export function projectName(folder: string): string {
    try {
        return String(parse(readFileSync(join(folder, "Pulumi.yaml"), "utf8")).name);
    } catch (error) {
        throw new UsageError(`--cwd must be the folder of a Pulumi.yaml, got ${folder}: ${(error as Error).message}`);
    }
}

/** The stacks of a project that have a configuration, and were changed since a revision, if one is given. */
export function stacksOf(folder: string, since: string | undefined, programs: readonly string[]): string[] {
    const files = stackFilesIn(folder);
    const stacks = files.map((file) => stackOfFile(basename(file))!);
    if (since === undefined) return stacks;
    const root = git(folder, "rev-parse", "--show-toplevel")[0]!;
    const within = (path: string) => relative(root, realpathSync(path));
    const project = {
        folder: within(folder),
        configs: within(files[0] === undefined ? folder : dirname(files[0])),
        programs: programs.map((path) => within(resolve(folder, path))),
    };
    return touchedStacks(stacks, changedFiles(root, since), project);
}

/** What differs from where this branch began, files that nobody has committed yet among it. */
function changedFiles(root: string, since: string): string[] {
    const [base] = git(root, "merge-base", since, "HEAD");
    const changed = git(root, "-c", "core.quotePath=false", "diff", "--name-only", "--no-renames", base!);
    return [...changed, ...git(root, "-c", "core.quotePath=false", "ls-files", "--others", "--exclude-standard")];
}

function git(folder: string, ...args: string[]): string[] {
    try {
        const output = execFileSync("git", ["-C", folder, ...args], {
            encoding: "utf8",
            stdio: ["ignore", "pipe", "pipe"],
        });
        return output.split("\n").filter((line) => line !== "");
    } catch (error) {
        const { stderr, message } = error as Error & { stderr?: string };
        const hint = "; in CI the checkout must have its history (actions/checkout: fetch-depth: 0)";
        throw new UsageError(
            `--changed-since must be a revision that this branch has an ancestor in, got an error of git: ${(stderr || message).trim().split("\n")[0]}${hint}`,
        );
    }
}
