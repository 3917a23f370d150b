import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundled, launcherOf } from "../stand-in";

/** The providers of our stacks but for `tls`, whose keys and certificates are real. */
const names = ["aws", "command", "digitalocean", "kubernetes"];

/**
 * Puts providers that make everything on paper into a folder, for runs that have it first on their `PATH`: engines
 * find them there before any other.
 */
export async function installPaper(folder: string): Promise<void> {
    mkdirSync(folder, { recursive: true });
    const program = await bundled({ folder: "paper" });
    for (const name of names) {
        const { version } = require(`@pulumi/${name}/package.json`);
        const path = join(folder, `pulumi-resource-${name}`);
        writeFileSync(path, launcherOf(program, name, version), { mode: 0o755 });
    }
}
