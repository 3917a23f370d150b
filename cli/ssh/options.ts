import { existsSync } from "node:fs";
import { invalidOption } from "../usage-error";

/** How the controllers of a cloud are reached, beside what ssh's own configuration says. */
export interface SshOptions {
    /** A stack of Pulumi's, by its name, as the `pulumi` here knows it. @default a cluster of this computer */
    readonly stack?: string;
    /** Who logs in: root, or one who may become it without a password. @default "core" */
    readonly sshUser?: string;
    /** A private key's file. @default - ssh's agent and configuration */
    readonly sshKey?: string;
    /** Where a controller is, by its node's name: an address or a name of ssh's configuration. @default - by the stack's state */
    readonly sshAddresses?: Readonly<Record<string, string>>;
}

const string = { type: "string" } as const;

/** As `parseArgs` takes them. */
export const sshFlags = { stack: string, "ssh-user": string, "ssh-key": string, "ssh-address": string };

/** How they are on the command line, for its help. */
export const SSH_HELP = `  --stack NAME           a cluster on a cloud, by its Pulumi stack; the pulumi on PATH knows it
  --ssh-user USER        who logs in to its controllers: root, or one with sudo (default: core)
  --ssh-key FILE         with which private key (default: as ssh's agent and configuration say)
  --ssh-address NODE=HOST,...
                         where controllers are (default: their public addresses, else their own)`;

type Values = Partial<Record<keyof typeof sshFlags, string>>;

/** Checks them. Throws `--<option> must be <legal>, got <value>`. */
export function parseSshOptions(values: Values): SshOptions {
    const { stack, "ssh-user": sshUser, "ssh-key": sshKey, "ssh-address": addresses } = values;
    if (stack === undefined) {
        const other = (Object.keys(sshFlags) as (keyof Values)[]).find((flag) => values[flag] !== undefined);
        if (other) throw invalidOption(`--${other}`, "given with --stack", values[other]);
        return {};
    }
    // What begins with a dash, programs would take for an option.
    if (!/^[A-Za-z0-9_][\w./-]*$/.test(stack)) throw invalidOption("--stack", "the name of a stack", stack);
    if (sshUser !== undefined && !/^[a-z_][\w.-]*$/i.test(sshUser)) {
        throw invalidOption("--ssh-user", "a user's name", sshUser);
    }
    if (sshKey !== undefined && !existsSync(sshKey)) throw invalidOption("--ssh-key", "a file", sshKey);
    return { stack, sshUser, sshKey, ...(addresses !== undefined && { sshAddresses: parseAddresses(addresses) }) };
}

function parseAddresses(text: string): Record<string, string> {
    const pairs = text.split(",").map((each) => /^([a-z][a-z0-9-]*)=([A-Za-z0-9:][\w.:-]*)$/.exec(each));
    return Object.fromEntries(
        pairs.map((pair) => {
            if (!pair) throw invalidOption("--ssh-address", "NODE=HOST, separated by commas", text);
            return [pair[1]!, pair[2]!];
        }),
    );
}
