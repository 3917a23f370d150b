import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { containerName, docker, ensureImage } from "../../../machines";
import { tradewindByStack } from "../by-stack";
import type { Output } from "../cluster";

const run = promisify(execFile);

/** A key pair, and an `ssh` with its own known_hosts file instead of the user's. */
export interface SshAccess {
    /** File of the private key. */
    readonly key: string;
    readonly publicKey: string;
    /** Folder of the `ssh`, for PATH. */
    readonly bin: string;
    /** Adds a host with the key that the machine itself reports. */
    trust(address: string, hostKey: string): void;
}

/** @param folder - a new one, for its files */
export async function makeSshAccess(folder: string): Promise<SshAccess> {
    const [bin, key, knownHosts] = ["bin", "id_ed25519", "known_hosts"].map((name) => join(folder, name)) as [
        string,
        string,
        string,
    ];
    mkdirSync(bin, { recursive: true });
    await run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", key]);
    writeFileSync(knownHosts, "");
    const { stdout } = await run("sh", ["-c", "command -v ssh"]);
    const program = join(bin, "ssh");
    writeFileSync(program, `#!/bin/sh\nexec ${stdout.trim()} -F none -o UserKnownHostsFile=${knownHosts} "$@"\n`);
    chmodSync(program, 0o755);
    return {
        key,
        publicKey: readFileSync(`${key}.pub`, "utf8").trim(),
        bin,
        trust: (address, hostKey) => writeFileSync(knownHosts, `${address} ${hostKey.trim()}\n`),
    };
}

/** Runs `tradewind` like an operator who has a simulated cluster's stack, its backend and a key. */
export function tradewindBySsh(
    cluster: readonly [name: string, cloud: string],
    { bin, key }: SshAccess,
    command: string,
    ...args: string[]
): Promise<Output> {
    return tradewindByStack(cluster, [command, ...args, "--ssh-user", "root", "--ssh-key", key], bin);
}

/** A snippet that lets the key in as root. */
export function sshSnippet({ publicKey }: SshAccess): string {
    const users = [{ name: "root", sshAuthorizedKeys: [publicKey] }];
    return JSON.stringify({ ignition: { version: "3.5.0" }, passwd: { users } });
}

/**
 * Installs Debian's SSH server, which clouds' images have and ours do not, on a running machine; returns its host key.
 */
export async function startSshServer(cluster: string, machine: string): Promise<string> {
    const image = await ensureImage();
    const script = "apt-get update -q && apt-get install -qy --download-only --no-install-recommends openssh-server";
    const fetcher = (await docker(["create", "--network", "host", image, "sh", "-c", script])).trim();
    const controller = containerName(cluster, machine);
    try {
        await docker(["start", "--attach", fetcher], { timeout: 300_000 });
        const pipe = `docker cp ${fetcher}:/var/cache/apt/archives - | docker cp - ${controller}:/root`;
        await run("sh", ["-c", `PATH=/usr/bin:$PATH; ${pipe}`]);
    } finally {
        await docker(["rm", "--force", "--volumes", fetcher]);
    }
    const install = "DEBIAN_FRONTEND=noninteractive dpkg -i /root/archives/*.deb && systemctl start ssh";
    await docker(["exec", controller, "sh", "-c", install], { timeout: 120_000 });
    return docker(["exec", controller, "cut", "-d", " ", "-f", "1,2", "/etc/ssh/ssh_host_ed25519_key.pub"]);
}
