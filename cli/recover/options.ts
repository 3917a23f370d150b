import { invalidOption, parseCommandLine } from "../../command-line/parse";
import { clusterName } from "../../local/options";
import { parseSshOptions, SSH_HELP, type SshOptions, sshFlags } from "../reach/ssh";

/** What still has the cluster's objects. */
export const SOURCES = ["api", "etcd", "snapshot"] as const;
export type Source = (typeof SOURCES)[number];

export interface RecoverOptions extends SshOptions {
    /** Of a cluster of this computer. */
    readonly name?: string;
    readonly from?: Source;
    /** A file here, or the name of a snapshot that the controller has. @default its newest one */
    readonly snapshot?: string;
    /** @default the first one */
    readonly controller?: string;
    readonly isHeld: boolean;
    readonly isRelease: boolean;
    /** The temporary control plane does without the stack's own arguments for it. */
    readonly isPlain: boolean;
    /** With a snapshot: puts the etcd data of the other controllers aside, so that they join again. */
    readonly isResettingOthers: boolean;
    /** Seconds. */
    readonly timeout: number;
    readonly isHelp: boolean;
}

export const RECOVER_HELP = `Brings back a control plane that is gone and does not come back by itself.

Usage: tradewind recover --from api|etcd|snapshot [options]
       tradewind recover --release

It starts a temporary control plane on a controller, waits until the cluster's own one serves beside it,
and stops the temporary one. What the cluster has is kept; what it lacks of the control plane and the
add-ons is applied from the stack. Run it again if it was interrupted: it goes on where it was.

  --from api             the API answers, but nothing new starts
  --from etcd            no API answers, and etcd has its data
  --from snapshot        etcd has lost its data, or has the wrong ones: they are replaced by a snapshot's.
                         What was written after it is lost. The old data are kept beside the new ones

  --snapshot FILE|NAME   a file of this computer, or a snapshot by its name (default: the newest one
                         in the controller's directory)
  --reset-others         with --from snapshot: the etcd data of the other controllers are put aside, as
                         theirs are of another time, and they join again with the restored ones
  --controller NAME      where the temporary control plane runs (default: the first controller)
  --hold                 keep the temporary control plane until it is released, while you mend what is
                         wrong with the cluster's own: by kubectl or by pulumi up
  --release              let a recovery that is held go on
  --plain                the temporary control plane does without the stack's own arguments
                         (components.*), when one of those is what is wrong
  --timeout SECONDS      how long to wait (default: 900); the controller goes on in any case
  --name NAME            a cluster of this computer (default: the only one)
${SSH_HELP}
  --help, -h

Exit codes:
  0    the cluster's own control plane serves; with --hold: the temporary one does
  1    it failed, and says why; the temporary control plane stays
  2    the command line is wrong
  130  interrupted; the controller goes on
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
            throw invalidOption(
                "--release",
                "given with no other option than --controller, --timeout and those that say which cluster",
                `--${other}`,
            );
        }
        return options;
    }
    if (options.from === undefined) {
        throw invalidOption("--from", "api, etcd or snapshot", from ?? "nothing");
    }
    if (snapshot !== undefined && options.from !== "snapshot") {
        throw invalidOption("--snapshot", "given with --from snapshot alone", `--from ${from}`);
    }
    if (isResettingOthers && options.from !== "snapshot") {
        throw invalidOption("--reset-others", "given with --from snapshot alone", `--from ${from}`);
    }
    if (snapshot === "") {
        throw invalidOption("--snapshot", "a file, or a snapshot's name", snapshot);
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
