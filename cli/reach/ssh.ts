import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { invalidOption, UsageError } from "../../command-line/parse";
import type { Controller } from "./controller";

/** A cloud controller, as an ssh destination. */
export interface SshTarget {
    /** Name of the node. */
    readonly name: string;
    readonly address: string;
    readonly user: string;
    /** Private key file. @default - from the ssh agent and configuration */
    readonly key?: string;
    /** Timeout of a script in milliseconds. @default none, as long as the machine responds */
    readonly timeout?: number;
}

/** Connection timeout in seconds. */
const connectSeconds = 10;

const megabyte = 2 ** 20;

/**
 * Connects with the system's `ssh`, which applies the user's keys, agents, jump hosts and known hosts.
 *
 * Never prompts, and never trusts unknown hosts: CA keys are sent over this connection.
 */
export function sshController(target: SshTarget): Controller {
    return {
        name: target.name,
        run: (script, args = [], input) => {
            // ssh passes a single string to the remote login shell.
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
        // Detects a dead machine within half a minute, however long a script runs.
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
        // If the remote command exits before reading all input, standard error says why.
        child.stdin?.on("error", () => undefined);
        child.stdin?.end(input);
    });
}

function quoted(word: string): string {
    return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** How to fix common ssh errors. */
const hints: readonly (readonly [RegExp, (target: SshTarget) => string])[] = [
    [
        /host key verification failed|no .* host key is known/i,
        ({ address }) =>
            `its host key is unknown: compare the output of ssh-keyscan ${address} with the machine's console, then add it to ~/.ssh/known_hosts`,
    ],
    [
        /remote host identification has changed/i,
        ({ address }) => `if the machine was replaced, run ssh-keygen -R ${address}`,
    ],
    [/permission denied \(/i, () => "set the user with --ssh-user and its key with --ssh-key or in the ssh agent"],
    [/sudo: .*password|not in the sudoers/i, ({ user }) => `${user} must be root or have passwordless sudo`],
    [/timed out|no route to host|connection refused/i, () => "SSH is blocked; see docs/recovery.md on how to allow it"],
];

function whatWentWrong(
    error: Error & { code?: string | number | null; killed?: boolean },
    stderr: string,
    target: SshTarget,
): string {
    if (error.code === "ENOENT") return "ssh is not on PATH";
    if (error.killed) return `no answer within ${(target.timeout ?? 0) / 1000} s`;
    const said = stderr.trim() || `exit code ${error.code}`;
    const [, hint] = hints.find(([pattern]) => pattern.test(said)) ?? [];
    return hint ? `${said.split("\n").at(-1)}; ${hint(target)}` : said;
}

/** How to reach cloud controllers, in addition to ssh's own configuration. */
export interface SshOptions {
    /** Name of a Pulumi stack. @default a local cluster */
    readonly stack?: string;
    /** User to log in as: root, or a user with passwordless sudo. @default "core" */
    readonly sshUser?: string;
    /** Private key file. @default - from the ssh agent and configuration */
    readonly sshKey?: string;
    /** Addresses or ssh host names of controllers, by node name. @default - from the stack's state */
    readonly sshAddresses?: Readonly<Record<string, string>>;
}

const string = { type: "string" } as const;

/** For `parseArgs`. */
export const sshFlags = { stack: string, "ssh-user": string, "ssh-key": string, "ssh-address": string };

/** Their help text. */
export const SSH_HELP = `  --stack NAME           a cloud cluster, by its Pulumi stack; requires pulumi on PATH, logged in to its backend
  --ssh-user USER        user on the controllers: root, or a user with sudo (default: core)
  --ssh-key FILE         private key (default: from the ssh agent and configuration)
  --ssh-address NODE=HOST,...
                         addresses of controllers (default: their public addresses, otherwise private)`;

type Values = Partial<Record<keyof typeof sshFlags, string>>;

/** Checks them. Throws `--<option> must be <legal>, got <value>`. */
export function parseSshOptions(values: Values): SshOptions {
    const { stack, "ssh-user": sshUser, "ssh-key": sshKey, "ssh-address": addresses } = values;
    if (stack === undefined) {
        const other = (Object.keys(sshFlags) as (keyof Values)[]).find((flag) => values[flag] !== undefined);
        if (other) throw new UsageError(`--${other} requires --stack`);
        return {};
    }
    // Programs would parse a leading dash as an option.
    if (!/^[A-Za-z0-9_][\w./-]*$/.test(stack)) throw invalidOption("--stack", "a stack name", stack);
    if (sshUser !== undefined && !/^[a-z_][\w.-]*$/i.test(sshUser)) {
        throw invalidOption("--ssh-user", "a user name", sshUser);
    }
    if (sshKey !== undefined && !existsSync(sshKey)) throw invalidOption("--ssh-key", "an existing file", sshKey);
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
