import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** The providers of our stacks but for `tls`, whose keys and certificates are real. */
const names = ["aws", "command", "digitalocean", "kubernetes"];

/**
 * Puts providers that make everything on paper into a folder, for runs that have it first on their `PATH`: engines
 * find them there before any other.
 */
export function installPaper(folder: string): void {
    mkdirSync(folder, { recursive: true });
    const hook = require.resolve("tsx/cjs");
    for (const name of names) {
        const command = [process.execPath, "--require", hook, resolve(__dirname, "main.ts"), name];
        const script = `#!/bin/sh\nexec ${command.map((word) => `'${word}'`).join(" ")} "$@"\n`;
        writeFileSync(join(folder, `pulumi-resource-${name}`), script, { mode: 0o755 });
    }
}
