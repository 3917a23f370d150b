import { flag, matching, type Values, value, values, wholeNumber } from "../../command-line/parse";
import { CLUSTER_NAME } from "../../local/options";
import { STACK } from "../reach/ssh";
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
