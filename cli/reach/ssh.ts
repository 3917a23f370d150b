import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { invalidOption } from "../../command-line/parse";
import type { Controller } from "./controller";

/** A controller of a cloud, as ssh finds it. */
export interface SshTarget {
    /** Of its node. */
    readonly name: string;
    readonly address: string;
    readonly user: string;
    /** A private key's file. @default - as ssh's agent and configuration say */
    readonly key?: string;
    /** Milliseconds that a script may take. @default none, as long as the machine is there */
    readonly timeout?: number;
}

/** Seconds until an address that does not answer is given up. */
const connectSeconds = 10;

const megabyte = 2 ** 20;

/**
 * Reaches a controller by the system's `ssh`, so that keys, agents, jump hosts and known hosts are those of its configuration.
 *
 * Nobody is asked anything, and a host that is not known is not trusted: CA keys go this way.
 */
export function sshController(target: SshTarget): Controller {
    return {
        name: target.name,
        run: (script, args = [], input) => {
            // ssh hands one text to the login shell there.
            const words = ["sh", "-c", script, "tradewind-recover", ...args].map(quoted);
            const asRoot = target.user === "root" ? [] : ["sudo", "-n"];
            return ssh(target, [...asRoot, ...words].join(" "), input);
        },
    };
}

function ssh(target: SshTarget, command: string, input?: Buffer): Promise<string> {
    const { address, user, key, timeout } = target;
    const patience = timeout ? Math.max(1, Math.floor(timeout / 1000)) : connectSeconds;
    const options = [
        "BatchMode=yes",
        "StrictHostKeyChecking=yes",
        `ConnectTimeout=${patience}`,
        // One that is gone is noticed within half a minute, however long a script takes.
        "ServerAliveInterval=10",
        "ServerAliveCountMax=3",
        ...(key ? ["IdentitiesOnly=yes"] : []),
    ];
    const args = [
        "-T",
        ...options.flatMap((option) => ["-o", option]),
        ...(key ? ["-i", key] : []),
        ...["-l", user, "--", address, command],
    ];
    return new Promise((resolve, reject) => {
        const limits = { timeout, killSignal: "SIGKILL" as const, maxBuffer: 256 * megabyte };
        const child = execFile("ssh", args, limits, (error, stdout, stderr) => {
            if (!error) resolve(stdout);
            else reject(new Error(`${target.name} (ssh ${user}@${address}): ${whatWentWrong(error, stderr, target)}`));
        });
        // One that dies before it has read everything says why on standard error.
        child.stdin?.on("error", () => undefined);
        child.stdin?.end(input);
    });
}

function quoted(word: string): string {
    return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** What ssh says, and what to do about what happens most. */
const hints: readonly (readonly [RegExp, (target: SshTarget) => string])[] = [
    [
        /host key verification failed|no .* host key is known/i,
        ({ address }) =>
            `its host key must be known: compare what ssh-keyscan ${address} tells with the machine's console, then add it to ~/.ssh/known_hosts`,
    ],
    [
        /remote host identification has changed/i,
        ({ address }) => `if the machine was made anew: ssh-keygen -R ${address}`,
    ],
    [/permission denied \(/i, () => "give the user by --ssh-user and a key that it takes by --ssh-key or ssh's agent"],
    [
        /sudo: .*password|not in the sudoers/i,
        ({ user }) => `${user} must be root, or become it by sudo without a password`,
    ],
    [
        /timed out|no route to host|connection refused/i,
        () => "no SSH gets there: see docs/recovery.md on how to let it in",
    ],
];

function whatWentWrong(
    error: Error & { code?: string | number | null; killed?: boolean },
    stderr: string,
    target: SshTarget,
): string {
    if (error.code === "ENOENT") return "there is no ssh on PATH";
    if (error.killed) return `no answer within ${(target.timeout ?? 0) / 1000} s`;
    const said = stderr.trim() || `exit code ${error.code}`;
    const [, hint] = hints.find(([pattern]) => pattern.test(said)) ?? [];
    return hint ? `${said.split("\n").at(-1)}; ${hint(target)}` : said;
}

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
