import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { isInstalled } from "../machines/prerequisites";

/** A program that is missing, and Debian's package for it. */
export interface MissingProgram {
    readonly command: string;
    readonly debian: string;
}

/** Installs what is missing where we may, else throws what is missing and the command for it. */
export async function installPackages(missing: readonly MissingProgram[], say: (line: string) => void): Promise<void> {
    if (missing.length === 0) {
        return;
    }
    if (process.getuid?.() !== 0 || !isInstalled("apt-get")) {
        throw new Error(describeMissing(missing, isInstalled("apt-get")));
    }
    const packages = packagesOf(missing);
    say(`installing ${packages.join(" ")}`);
    // Without the package lists, as in a fresh container, the first try finds nothing.
    if ((await aptGet(["install", ...packages], say)) !== 0) {
        await aptGet(["update"], say);
        const exitCode = await aptGet(["install", ...packages], say);
        if (exitCode !== 0) {
            throw new Error(`apt-get install ${packages.join(" ")} failed (exit code ${exitCode})`);
        }
    }
}

/** What is missing, and the command that helps. */
export function describeMissing(missing: readonly MissingProgram[], hasApt: boolean): string {
    const commands = missing.map(({ command }) => command).join(", ");
    const packages = packagesOf(missing).join(" ");
    const help = hasApt
        ? `To install: sudo apt-get install ${packages}`
        : `Debian and Ubuntu have them in these packages: ${packages}`;
    return `not installed here: ${commands}\n${help}`;
}

function packagesOf(missing: readonly MissingProgram[]): string[] {
    return [...new Set(missing.map(({ debian }) => debian))].sort();
}

function aptGet(args: readonly string[], say: (line: string) => void): Promise<number | null> {
    const child = spawn("apt-get", [...args, "--yes", "--no-install-recommends", "--quiet"], {
        env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
        stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr]) {
        createInterface({ input: stream }).on("line", (line) => {
            if (/^(Get:|Setting up|E:|W:)/.test(line)) {
                say(line);
            }
        });
    }
    return new Promise((resolve, reject) => {
        child.on("error", reject);
        child.on("close", resolve);
    });
}
