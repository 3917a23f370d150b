import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInBuilder } from "./builder";
import { run } from "./command";
import { debian } from "./debian";
import type { Item, Workshop } from "./item";
import type { Tool } from "./part";

/** What debootstrap needs on the machine. */
const DEBOOTSTRAP: readonly Tool[] = [
    { command: "debootstrap", package: "debootstrap" },
    { command: "/usr/share/keyrings/debian-archive-keyring.gpg", package: "debian-archive-keyring" },
    { command: "tar", package: "tar" },
];

/** How an item that installs a Debian is built. */
export const byDebootstrap = {
    lane: "other",
    tools: DEBOOTSTRAP,
    needsRoot: true,
    inContainer: true,
    isIntermediate: true,
} as const satisfies Partial<Item>;

const SCRIPT = join(__dirname, "rootfs", "debian-root");

/** A Debian system to install. */
interface DebianSystem {
    /** Its release. */
    readonly suite: string;
    readonly packages: readonly string[];
    /** @default [] - as they are installed */
    readonly disabledUnits?: readonly string[];
    /** @default [] */
    readonly removedPaths?: readonly string[];
}

/** Installs a minimal Debian and archives it in the scratch folder. @returns the archive */
export async function archiveDebian(system: DebianSystem, workshop: Workshop): Promise<string> {
    const { scratch, way } = workshop;
    const { suite, packages, disabledUnits = [], removedPaths = [] } = system;
    const mirror = (await hostMirror()) ?? "";
    const settings = [suite, mirror, packages.join(","), disabledUnits.join(" "), removedPaths.join(" ")];
    if (way === "online") {
        const script = readFileSync(SCRIPT, "utf8");
        const args = ["/out/root.tar", "/tmp/root", ...settings];
        await runInBuilder({ packages: ["debootstrap"], script, arguments: args }, workshop);
    } else {
        const args = [join(scratch, "root.tar"), join(scratch, "root"), ...settings];
        // In its own mount namespace: debootstrap's mounts in the new root disappear with it, even if it is killed.
        await run("unshare", ["--mount", "--propagation", "private", SCRIPT, ...args]);
    }
    return join(scratch, "root.tar");
}

/** The Debian mirror of this machine. @returns undefined if it does not run Debian: debootstrap has a default. */
async function hostMirror(): Promise<string | undefined> {
    const format = "$(CODENAME) $(COMPONENT) $(REPO_URI)";
    const targets = await run("apt-get", ["indextargets", "--format", format, "Created-By: Packages"]).catch(() => "");
    const ours = targets.split("\n").find((line) => line.startsWith(`${debian.suite} main `));
    return ours?.split(" ")[2];
}
