import { invalidOption, parseCommandLine, UsageError } from "../../command-line/parse";
import { clusterName } from "../../local/options";
import { parseSshOptions, SSH_HELP, type SshOptions, sshFlags } from "../reach/ssh";

/** What still contains the cluster's objects. */
export const SOURCES = ["api", "etcd", "snapshot"] as const;
export type Source = (typeof SOURCES)[number];

export interface RecoverOptions extends SshOptions {
    /** Name of a local cluster. */
    readonly name?: string;
    readonly from?: Source;
    /** A local file, or the name of a snapshot on the controller. @default the newest one */
    readonly snapshot?: string;
    /** @default the first one */
    readonly controller?: string;
    readonly isHeld: boolean;
    readonly isRelease: boolean;
    /** Runs the temporary control plane without the stack's extra arguments. */
    readonly isPlain: boolean;
    /** With a snapshot: moves the etcd data of the other controllers aside, so that they rejoin. */
    readonly isResettingOthers: boolean;
    /** Seconds. */
    readonly timeout: number;
    readonly isHelp: boolean;
}

export const RECOVER_HELP = `Recovers a control plane that is down and does not recover by itself.

Usage: tradewind recover --from api|etcd|snapshot [options]
       tradewind recover --release

Starts a temporary control plane on a controller, waits until the cluster's own control plane serves again,
and stops the temporary one. Existing objects are kept; missing parts of the control plane and the add-ons are
applied from the stack. If interrupted, run it again to resume.

  --from api             the API answers, but no new pods start
  --from etcd            the API is down, but etcd still has its data
  --from snapshot        etcd has lost its data or has wrong data: restore a snapshot. Everything written
                         after the snapshot is lost. The old data is kept next to the new

  --snapshot FILE|NAME   a local file, or the name of a snapshot (default: the newest one
                         in the controller's snapshot directory)
  --reset-others         with --from snapshot: move the outdated etcd data of the other controllers aside,
                         so that they rejoin the restored member
  --controller NAME      where to run the temporary control plane (default: the first controller)
  --hold                 keep the temporary control plane running until --release, while you repair the
                         cluster's own with kubectl or pulumi up
  --release              let a held recovery continue
  --plain                run the temporary control plane without the stack's extra arguments
                         (components.*), in case one of them is the cause
  --timeout SECONDS      how long to wait (default: 900); the controller continues regardless
  --name NAME            a local cluster (default: the only one)
${SSH_HELP}
  --help, -h

Exit codes:
  0    the cluster's own control plane serves; with --hold: the temporary one does
  1    recovery failed; the error says why, and the temporary control plane stays
  2    invalid command line
  130  interrupted; the controller continues
`;

/** Parses and checks the command line. Throws `--<option> must be <legal>, got <value>`. */
export function parseRecoverOptions(args: readonly string[]): RecoverOptions {
    const values = parse(args);
    const { from, hold = false, release = false, help = false, snapshot, plain = false } = values;
    const isResettingOthers = values["reset-others"] ?? false;
    const options: RecoverOptions = {
        ...parseSshOptions(values),
        name: values.name === undefined ? undefined : clusterName(values.name),
        from: SOURCES.find((source) => source === from),
        snapshot,
        controller: values.controller,
        isHeld: hold,
        isRelease: release,
        isPlain: plain,
        isResettingOthers,
        timeout: seconds(values.timeout ?? "900"),
        isHelp: help,
    };
    if (help) {
        return options;
    }
    if (release) {
        const other = ["from", "snapshot", "hold", "plain", "reset-others"].find((option) => option in values);
        if (other) {
            throw new UsageError(`--release and --${other} are mutually exclusive`);
        }
        return options;
    }
    if (options.from === undefined) {
        throw invalidOption("--from", "api, etcd or snapshot", from ?? "nothing");
    }
    if (snapshot !== undefined && options.from !== "snapshot") {
        throw new UsageError("--snapshot requires --from snapshot");
    }
    if (isResettingOthers && options.from !== "snapshot") {
        throw new UsageError("--reset-others requires --from snapshot");
    }
    if (snapshot === "") {
        throw invalidOption("--snapshot", "a file or the name of a snapshot", snapshot);
    }
    return options;
}

function seconds(text: string): number {
    if (!/^[1-9]\d{0,6}$/.test(text)) {
        throw invalidOption("--timeout", "a positive number of seconds", text);
    }
    return Number(text);
}

function parse(args: readonly string[]) {
    const string = { type: "string" } as const;
    const boolean = { type: "boolean" } as const;
    return parseCommandLine("tradewind recover --help", {
        args: [...args],
        options: {
            ...sshFlags,
            name: string,
            from: string,
            snapshot: string,
            controller: string,
            hold: boolean,
            release: boolean,
            plain: boolean,
            "reset-others": boolean,
            timeout: string,
            help: { type: "boolean", short: "h" },
        },
    }).values;
}
