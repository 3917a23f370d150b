import { createHash } from "node:crypto";
import { join } from "node:path";
import { buildSync } from "esbuild";

const bundles = new Map<string, string>();

/**
 * An agent's program as one CommonJS file that needs nothing but Node 22.
 *
 * Left readable: it lies on the machine, where someone may have to find out what it does. The same
 * sources give the same bytes wherever the checkout lies.
 */
export function bundleAgent(name: string): string {
    const text = bundles.get(name) ?? build(name);
    bundles.set(name, text);
    return text;
}

/** Hex SHA-256 of an agent's program, to name it by its content. */
export function agentHash(name: string): string {
    return createHash("sha256").update(bundleAgent(name)).digest("hex");
}

function build(name: string): string {
    const result = buildSync({
        absWorkingDir: join(__dirname, name),
        entryPoints: ["main.ts"],
        bundle: true,
        write: false,
        platform: "node",
        target: "node22",
        format: "cjs",
        charset: "utf8",
        legalComments: "none",
        // The checkout's compiler settings, and what lies around it, must not matter.
        tsconfigRaw: {},
    });
    return result.outputFiles[0].text;
}
