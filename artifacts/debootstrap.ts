import { run } from "./command";
import { debian } from "./debian";
import type { Tool } from "./part";

/** What {@link debootstrap} needs on the machine. */
export const DEBOOTSTRAP: readonly Tool[] = [
    { command: "debootstrap", package: "debootstrap" },
    { command: "/usr/share/keyrings/debian-archive-keyring.gpg", package: "debian-archive-keyring" },
    { command: "tar", package: "tar" },
];

/** Any fixed time: the same files give the same archive. */
export const SAME = ["--sort=name", "--mtime=@1", "--numeric-owner"];

/** Installs a minimal Debian with these packages into a folder. @param suite - its release */
export async function debootstrap(packages: readonly string[], root: string, suite: string): Promise<void> {
    const mirror = await hostMirror();
    // In its own mount namespace: debootstrap's mounts in the new root disappear with it, even if it is killed.
    await run("unshare", [
        ...["--mount", "--propagation", "private", "debootstrap", "--variant=minbase"],
        ...[`--include=${packages.join(",")}`, suite, root, ...(mirror ? [mirror] : [])],
    ]);
}

/** Archives an installed system, without what is mounted in it. */
export async function archiveRoot(root: string, target: string): Promise<void> {
    const mounted = ["dev", "proc", "run", "sys", "tmp"].map((name) => `--exclude=./${name}/*`);
    await run("tar", [...SAME, ...mounted, "-C", root, "-cf", target, "."]);
}

/** The Debian mirror of this machine. @returns undefined if it does not run Debian: debootstrap has a default. */
async function hostMirror(): Promise<string | undefined> {
    const format = "$(CODENAME) $(COMPONENT) $(REPO_URI)";
    const targets = await run("apt-get", ["indextargets", "--format", format, "Created-By: Packages"]).catch(() => "");
    const ours = targets.split("\n").find((line) => line.startsWith(`${debian.suite} main `));
    return ours?.split(" ")[2];
}
