import { execFile } from "node:child_process";
import type { Controller } from "../recover/controller";

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
