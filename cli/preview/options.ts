import { invalidOption, parseCommandLine, UsageError } from "../../command-line/parse";
import { clusterName } from "../../local/options";
import { githubLimit } from "./render/fit";

export interface PreviewOptions {
    /** Stacks of the project by name. @default - all of them */
    readonly stacks: readonly string[];
    /** A local cluster, instead of stacks. */
    readonly name?: string;
    /** Folder of the Pulumi project. @default - the current folder */
    readonly cwd?: string;
    /** A git revision: only stacks changed since then. */
    readonly changedSince?: string;
    /** Additional files and folders of the program: changing one affects every stack. */
    readonly programs: readonly string[];
    /** Files with Pulumi's events, instead of stacks. */
    readonly events: readonly string[];
    /** Only list the names of the stacks. */
    readonly isList: boolean;
    /** Also compare node configs, for which Pulumi passes secrets to this program. */
    readonly hasNodeConfigs: boolean;
    /** Maximum characters of the comment. */
    readonly limit: number;
    /** File for the full text. @default - none */
    readonly whole?: string;
    /** Where readers find the full text. */
    readonly wholeAt?: string;
    /** A file with an existing comment to post on the pull request, without a preview. */
    readonly post?: string;
    readonly isHelp: boolean;
}

export const PREVIEW_HELP = `Previews stacks and prints one Markdown comment for a pull request.

Usage: tradewind preview [options]

  --stack, -s STACK       a stack of the project; repeatable (default: every stack with a Pulumi.<stack>.yaml)
  --name NAME             a local cluster
  --cwd, -C FOLDER        the Pulumi project (default: the current folder)
  --changed-since REF     only stacks changed since this git revision: those whose Pulumi.<stack>.yaml changed,
                          or all of them if any other file of the project changed, except Markdown
  --program PATH          a file or folder outside the project that also belongs to the program; repeatable
  --events FILE           output of pulumi preview --json or --event-log, instead of a stack; repeatable
  --list                  print the names of the stacks, one per line, without previewing them
  --no-node-configs       do not compare node configs; this command then receives no secrets
  --limit N               maximum characters of the comment (default: ${githubLimit}, GitHub's limit); what does not fit
                          is left out of the collapsed sections, with a note
  --whole FILE            also write the full text to a file
  --whole-at WHERE        where readers find the full text, for that note
  --post FILE             do not preview; post this existing comment on the pull request of the CI job, or update
                          the previous one. GitHub, Gitea and Forgejo need GITHUB_TOKEN, GitLab needs
                          GITLAB_TOKEN
  --help, -h

Runs the pulumi on PATH in this environment; backend, passphrase and credentials work as for pulumi preview.
Exits with 1 if a preview failed; the comment says why.
`;

/** Parses and checks the command line. Throws `--<option> must be <legal>, got <value>`. */
export function parsePreviewOptions(args: readonly string[]): PreviewOptions {
    const { values } = parse(args);
    const {
        name,
        cwd,
        stack = [],
        events = [],
        program = [],
        list = false,
        limit = String(githubLimit),
        help = false,
    } = values;
    const chosen = { "--name": name, "--events": events[0], "--stack": stack[0], "--post": values.post };
    const given = Object.entries(chosen).filter(([, value]) => value !== undefined);
    if (given.length > 1) {
        throw new UsageError(`${given[0]![0]} and ${given[1]![0]} are mutually exclusive`);
    }
    // Programs would parse a leading dash as an option.
    const wrong = stack.find((each) => !/^[A-Za-z0-9_][\w./-]*$/.test(each));
    if (wrong !== undefined) throw invalidOption("--stack", "a stack name", wrong);
    const since = values["changed-since"];
    if (since !== undefined && (name !== undefined || events.length > 0)) {
        throw new UsageError("--changed-since cannot be combined with --name or --events");
    }
    if (since !== undefined && !/^[\w@]/.test(since)) {
        throw invalidOption("--changed-since", "a git revision", since);
    }
    if (!/^\d+$/.test(limit) || Number(limit) < 1000) {
        throw invalidOption("--limit", "1000 or more", limit);
    }
    return {
        stacks: stack,
        ...(name !== undefined && { name: clusterName(name) }),
        ...(cwd !== undefined && { cwd }),
        ...(since !== undefined && { changedSince: since }),
        programs: program,
        events,
        isList: list,
        hasNodeConfigs: !values["no-node-configs"],
        limit: Number(limit),
        ...(values.whole !== undefined && { whole: values.whole }),
        ...(values["whole-at"] !== undefined && { wholeAt: values["whole-at"] }),
        ...(values.post !== undefined && { post: values.post }),
        isHelp: help,
    };
}

function parse(args: readonly string[]) {
    const string = { type: "string" } as const;
    const boolean = { type: "boolean" } as const;
    const strings = { type: "string", multiple: true } as const;
    return parseCommandLine("tradewind preview --help", {
        args: [...args],
        options: {
            name: string,
            cwd: { type: "string", short: "C" },
            stack: { ...strings, short: "s" },
            "changed-since": string,
            program: strings,
            events: strings,
            list: boolean,
            "no-node-configs": boolean,
            limit: string,
            whole: string,
            "whole-at": string,
            post: string,
            help: { type: "boolean", short: "h" },
        },
    });
}
