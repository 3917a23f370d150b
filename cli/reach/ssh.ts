import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { matching, type Values, value } from "../../command-line/parse";
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

/** Of output. */
const mostBytes = 256 * megabyte;

/** Node's code for more. */
const tooLong = "ERR_CHILD_PROCESS_STDIO_MAXBUFFER";

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

class SshError extends Error {
    /** Whether this machine answered. ssh has verified its host key before it asks for the user's. */
    readonly isAnswer: boolean;

    constructor(target: SshTarget, error: Failure, stderr: string) {
        super(`${target.name} (ssh ${target.user}@${target.address}): ${whatWentWrong(error, stderr, target)}`);
        const isOfCommand = typeof error.code === "number" && error.code !== transportFailed;
        this.isAnswer = !error.killed && (isOfCommand || /permission denied \(/i.test(stderr));
    }
}

/** ssh's own exit code; others are those of the command. */
const transportFailed = 255;

type Failure = Error & { code?: string | number | null; killed?: boolean };

/** Whether what failed is proof that the machine is on. */
export function isAnswer(error: unknown): boolean {
    return error instanceof SshError && error.isAnswer;
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
        const limits = { timeout, killSignal: "SIGKILL" as const, maxBuffer: mostBytes };
        const child = execFile("ssh", args, limits, (error, stdout, stderr) => {
            if (!error) resolve(stdout);
            else reject(new SshError(target, error, stderr));
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

function whatWentWrong(error: Failure, stderr: string, target: SshTarget): string {
    if (error.code === "ENOENT") return "ssh is not on PATH";
    if (error.code === tooLong) return `it printed more than ${mostBytes / megabyte} MiB`;
    if (error.killed) return `no answer within ${(target.timeout ?? 0) / 1000} s`;
    const said = stderr.trim() || `exit code ${error.code}`;
    const [, hint] = hints.find(([pattern]) => pattern.test(said)) ?? [];
    return hint ? `${said.split("\n").at(-1)}; ${hint(target)}` : said;
}

/** A name that programs do not parse as an option. */
export const STACK = matching("a stack name", /^[A-Za-z0-9_][\w./-]*$/);

/** How to reach cloud controllers, in addition to ssh's own configuration. */
export const sshOptions = {
    stack: value(
        "NAME",
        "a cloud cluster, by its Pulumi stack; requires pulumi on PATH, logged in to its backend",
        STACK,
    ),
    sshUser: value(
        "USER",
        "user on the controllers: root, or a user with sudo",
        matching("a user name", /^[a-z_][\w.-]*$/i),
        { otherwise: "core", needs: "--stack" },
    ),
    sshKey: value(
        "FILE",
        "private key",
        { legal: "an existing file", read: (path) => (existsSync(path) ? path : undefined) },
        { otherwise: "from the ssh agent and configuration", needs: "--stack" },
    ),
    sshAddress: value(
        "NODE=HOST,...",
        "addresses of controllers",
        { legal: "NODE=HOST, separated by commas", read: addressesIn },
        { otherwise: "their public addresses, otherwise private", needs: "--stack" },
    ),
};

export type SshOptions = Partial<Values<typeof sshOptions>>;

/** Addresses or ssh host names, by node name. */
function addressesIn(text: string): Readonly<Record<string, string>> | undefined {
    const pairs = text.split(",").map((each) => /^([a-z][a-z0-9-]*)=([A-Za-z0-9:][\w.:-]*)$/.exec(each));
    return pairs.includes(null) ? undefined : Object.fromEntries(pairs.map((pair) => [pair![1]!, pair![2]!]));
}
