import { execFileSync } from "node:child_process";
import { realpathSync } from "node:fs";
import { basename, dirname, relative, resolve } from "node:path";
import { command } from "../../command-line/command";
import { flag, matching, UsageError, type Values, value, values, wholeNumber } from "../../command-line/parse";
import { readInput } from "../../command-line/read-input";
import { replaceFile } from "../../command-line/replace-file";
import { CLUSTER_NAME } from "../../local/options";
import { PROJECT_DIR } from "../../local/pulumi";
import { hasStack } from "../../local/stack";
import { requireLocalCluster } from "../../local/state";
import { readJson } from "../bundle/read-json";
import { STACK } from "../reach/ssh";
import { type RehearsalReport, reportSchema } from "../rehearse/report";
import { projectIn, stackFilesIn, stackOfFile } from "../updates/stack-file";
import { type Engine, previewStack } from "./engine";
import { engineOnPath, localEngine } from "./engines";
import { previewOf, readEvents } from "./events";
import { clustersOf, isChange, isFailed } from "./model";
import { forgeOf, post } from "./post";
import { comment, type Previewed } from "./render/comment";
import { githubLimit } from "./render/fit";

export const previewOptions = {
    stack: values("STACK", "a stack of the project", STACK, {
        short: "s",
        otherwise: "every stack with a Pulumi.<stack>.yaml",
        excludes: ["post"],
    }),
    name: value("NAME", "a local cluster", CLUSTER_NAME, { excludes: ["events", "stack", "post"] }),
    cwd: value("FOLDER", "the Pulumi project", undefined, { short: "C", otherwise: "the current folder" }),
    changedSince: value(
        "REF",
        "only stacks changed since this git revision: those whose Pulumi.<stack>.yaml changed, or all of them if any other file of the project changed, except Markdown",
        matching("a git revision", /^[\w@]/),
        { excludes: ["name", "events"] },
    ),
    program: values("PATH", "a file or folder outside the project that also belongs to the program"),
    events: values("FILE", "output of pulumi preview --json or --event-log, instead of a stack", undefined, {
        excludes: ["stack", "post"],
    }),
    rehearsal: values("FILE", "a report of tradewind rehearse (JSON), to be shown with its cluster", undefined, {
        excludes: ["post"],
    }),
    drift: flag(
        "compare what runs and exists with the stack, as pulumi preview --refresh does: exits with 2 if anything differs",
        { excludes: ["events", "post", "list"] },
    ),
    list: flag("print the names of the stacks, one per line, without previewing them"),
    nodeConfigs: flag("do not compare node configs; this command then receives no secrets", { default: true }),
    limit: value(
        "N",
        "maximum characters of the comment; what does not fit is left out of the collapsed sections, with a note",
        wholeNumber(1000, Number.POSITIVE_INFINITY, "1000 or more"),
        { default: githubLimit, otherwise: `${githubLimit}, GitHub's limit` },
    ),
    whole: value("FILE", "also write the full text to a file"),
    wholeAt: value("PLACE", "where readers find the full text, for that note"),
    post: value(
        "FILE",
        "do not preview; post this existing comment on the pull request of the CI job, or update the previous one. GitHub, Gitea and Forgejo need GITHUB_TOKEN, GitLab needs GITLAB_TOKEN",
    ),
};

export type PreviewOptions = Values<typeof previewOptions>;

export const program = command(
    {
        name: "tradewind preview",
        about: "Previews stacks and prints one Markdown comment for a pull request.",
        options: previewOptions,
        notes: `Runs the pulumi on PATH in this environment; backend, passphrase and credentials work as for pulumi preview.

Exit codes:
  0  the previews succeeded; with --drift, nothing differs
  1  a preview failed; the comment says why
  2  wrong usage; with --drift, something differs

Examples:
  tradewind preview --changed-since origin/main > comment.md
  tradewind preview --post comment.md
  tradewind preview --drift                 on a schedule, to find what was changed elsewhere`,
    },
    preview,
);

/** `tradewind preview`: 0, 1 if a preview failed or a comment could not be posted, 2 for drift. */
async function preview(options: PreviewOptions): Promise<number> {
    if (options.post !== undefined) {
        process.stderr.write(`${await post(options.post, () => forgeOf(process.env))}\n`);
        return 0;
    }
    const { project, stacks } = chosen(options);
    if (options.list) {
        process.stdout.write(stacks.map(({ stack }) => `${stack}\n`).join(""));
        return 0;
    }
    const rehearsals = options.rehearsal.map(readRehearsal);
    const previewed: Previewed[] = [];
    for (const { stack, preview } of stacks) {
        // Standard output contains only the comment.
        process.stderr.write(`==> preview of ${stack}\n`);
        previewed.push(withRehearsals(await preview(), rehearsals));
    }
    const shown = previewed.flatMap((each) => each.rehearsals ?? []);
    for (const { cluster } of rehearsals.filter((each) => !shown.includes(each))) {
        process.stderr.write(`the rehearsal of ${cluster} is not shown: no previewed stack has that cluster\n`);
    }
    const { limit, whole, wholeAt } = options;
    const rest = wholeAt ?? whole ?? "in the output of `pulumi preview --diff`";
    process.stdout.write(comment(previewed, { project, limit, rest }));
    if (whole !== undefined) {
        replaceFile(whole, comment(previewed, { project, limit: Number.POSITIVE_INFINITY, rest }));
    }
    if (previewed.some(({ failure }) => failure !== undefined)) return 1;
    return options.drift && previewed.some(({ preview }) => preview && isChange(preview)) ? 2 : 0;
}

function readRehearsal(path: string): RehearsalReport {
    const text = readInput("--rehearsal", path).toString("utf8");
    try {
        return readJson(path, text, reportSchema);
    } catch (error) {
        throw new UsageError(`--rehearsal must be a report of tradewind rehearse in JSON: ${(error as Error).message}`);
    }
}

function withRehearsals(previewed: Previewed, all: readonly RehearsalReport[]): Previewed {
    const names = previewed.preview ? clustersOf(previewed.preview).map(({ name }) => name) : [];
    const rehearsals = all.filter(({ cluster }) => names.includes(cluster));
    return rehearsals.length > 0 ? { ...previewed, rehearsals } : previewed;
}

interface Chosen {
    readonly project: string;
    readonly stacks: readonly { readonly stack: string; readonly preview: () => Promise<Previewed> }[];
}

function chosen(options: PreviewOptions): Chosen {
    const { name, events, cwd = process.cwd(), changedSince, program: programs, nodeConfigs, drift } = options;
    if (events.length > 0) return fromFiles(events);
    const previewed = (stack: string, engine: Engine) => ({
        stack,
        preview: () => previewStack(stack, engine, { nodeConfigs, refresh: drift }),
    });
    if (name !== undefined) {
        const preview = async () => previewStack(name, await localEngine(name), { nodeConfigs, refresh: drift });
        if (!hasStack(requireLocalCluster(name)))
            throw new UsageError(`the cluster ${name} has no stack yet; run npm start`);
        return { project: projectName(PROJECT_DIR), stacks: [{ stack: name, preview }] };
    }
    const project = projectName(cwd);
    const all = options.stack.length > 0 && changedSince === undefined ? [] : stacksOf(cwd, changedSince, programs);
    const stacks =
        options.stack.length === 0
            ? all
            : options.stack.filter((stack) => changedSince === undefined || all.includes(stack));
    return { project, stacks: stacks.map((stack) => previewed(stack, engineOnPath(stack, cwd))) };
}

function fromFiles(files: readonly string[]): Chosen {
    const previews = files.map((file) => {
        const events = readEvents(readInput("--events", file).toString("utf8"), file);
        const preview = previewOf(events, basename(file));
        const previewed = {
            stack: preview.stack,
            preview,
            ...(isFailed(preview) && { failure: "" }),
        };
        return { project: preview.project, stack: preview.stack, preview: async () => previewed };
    });
    return { project: previews[0]?.project ?? "", stacks: previews };
}

/** The name of the Pulumi project in a folder. */
export function projectName(folder: string): string {
    try {
        return projectIn(folder).name;
    } catch (error) {
        throw new UsageError(`--cwd must be a folder with a Pulumi.yaml (got ${folder}): ${(error as Error).message}`);
    }
}

/** The stacks of a project that have a configuration and, with `since`, changed since that revision. */
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

/** The files changed since this branch began, including uncommitted ones. */
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
        const hint = "; in CI, check out the full history (actions/checkout: fetch-depth: 0)";
        throw new UsageError(
            `--changed-since must be a revision that shares history with this branch (git: ${(stderr || message).trim().split("\n")[0]})${hint}`,
        );
    }
}

/** Determines which stacks a change affects. Paths are relative to the root of the repository. */
interface Project {
    /** The folder of Pulumi.yaml: `""` is the root. */
    readonly folder: string;
    /** The folder with the stacks' configurations. */
    readonly configs: string;
    /** Additional files and folders of the program. */
    readonly programs: readonly string[];
}

/** The stacks affected by a change: those with a changed configuration, or all if the program changed. */
export function touchedStacks(stacks: readonly string[], changed: readonly string[], project: Project): string[] {
    const isWithin = (path: string, folder: string) =>
        folder === "" || path === folder || path.startsWith(`${folder}/`);
    const places = [project.folder, project.configs, ...project.programs];
    const own = changed.filter((path) => places.some((place) => isWithin(path, place)) && !path.endsWith(".md"));
    const stackOf = (path: string) =>
        path.slice(0, -basename(path).length).replace(/\/$/, "") === project.configs
            ? stackOfFile(basename(path))
            : undefined;
    // A removed configuration belongs neither to a stack nor to the program.
    const isProgram = own.some((path) => stackOf(path) === undefined);
    return isProgram ? [...stacks] : stacks.filter((stack) => own.some((path) => stackOf(path) === stack));
}
