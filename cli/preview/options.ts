import { invalidOption, parseCommandLine } from "../../command-line/parse";
import { clusterName } from "../../local/options";
import { githubLimit } from "./render/fit";

export interface PreviewOptions {
    /** Stacks of the project by name. @default - all of them */
    readonly stacks: readonly string[];
    /** A cluster of this computer, in the place of stacks. */
    readonly name?: string;
    /** Folder of the Pulumi project. @default - this one */
    readonly cwd?: string;
    /** A revision of git: of the stacks those that were changed since. */
    readonly changedSince?: string;
    /** Further files and folders of the program: a change of one touches every stack. */
    readonly programs: readonly string[];
    /** Files with the engine's events, in the place of stacks. */
    readonly events: readonly string[];
    /** The names of the stacks alone. */
    readonly isList: boolean;
    /** What machines boot with is compared too, for which the engine tells secrets to this program. */
    readonly hasNodeConfigs: boolean;
    /** Most characters. */
    readonly limit: number;
    /** File for the whole text. @default - none */
    readonly whole?: string;
    /** Where people find that. */
    readonly wholeAt?: string;
    /** A file with a comment that was made before, to be put on the pull request; nothing is previewed then. */
    readonly post?: string;
    readonly isHelp: boolean;
}

export const PREVIEW_HELP = `Previews stacks and prints one comment for a pull request, as Markdown.

Usage: tradewind preview [options]

  --stack, -s STACK       a stack of the project; may be given again (default: each that has a Pulumi.<stack>.yaml)
  --name NAME             a cluster of this computer
  --cwd, -C FOLDER        the Pulumi project (default: this folder)
  --changed-since REF     of these stacks those that a change since this revision of git touches: those whose
                          Pulumi.<stack>.yaml is another one; all if anything else of the project is, but Markdown
  --program PATH          a file or folder beside the project that is part of the program too; may be given again
  --events FILE           what pulumi preview --json or --event-log wrote, in the place of a stack; may be given again
  --list                  print the names of the stacks, one a line, and preview nothing
  --no-node-configs       do not compare what machines boot with: no secret is told to this program then
  --limit N               most characters of the comment (default: ${githubLimit}, which GitHub takes); what does not fit
                          is left out of the folded parts, with a note
  --whole FILE            write the whole text into a file too
  --whole-at WHERE        where people find it, for that note
  --post FILE             preview nothing, but put this comment, made before, on the pull request of the CI job, or in the
                          place of the one that is there: GitHub, Gitea and Forgejo with GITHUB_TOKEN, GitLab with
                          GITLAB_TOKEN
  --help, -h

The pulumi of the PATH runs, with this environment: backend, passphrase and credentials are as for pulumi preview.
The exit code is 1 if a preview failed; the comment says why.
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
        throw invalidOption(given[0]![0], `given without ${given[1]![0]}`, given[0]![1]);
    }
    // What begins with a dash, programs would take for an option.
    const wrong = stack.find((each) => !/^[A-Za-z0-9_][\w./-]*$/.test(each));
    if (wrong !== undefined) throw invalidOption("--stack", "the name of a stack", wrong);
    const since = values["changed-since"];
    if (since !== undefined && (name !== undefined || events.length > 0)) {
        throw invalidOption("--changed-since", "given for stacks of a project", since);
    }
    if (since !== undefined && !/^[\w@]/.test(since)) {
        throw invalidOption("--changed-since", "a revision of git", since);
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
