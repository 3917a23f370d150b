import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "esbuild";
import { bundled, launcherOf } from "../../plugins/stand-in";

/** Clouds, each of which is on paper altogether, or simulated with machines on paper. */
const clouds = ["aws", "digitalocean"];

/** The other providers of our stacks but for `tls`, whose keys and certificates are real. */
const others = ["command", "kubernetes"];

/** A simulated cloud's machines, networks, disks and balancers, which it makes by what it imports. */
const machinesOnPaper: Plugin = {
    name: "machines-on-paper",
    setup({ onResolve }) {
        onResolve({ filter: /^(\.\.\/)+machines$/ }, () => ({ path: join(__dirname, "machines.ts") }));
        onResolve({ filter: /^\.(\.\/services)?\/start$/ }, () => ({ path: join(__dirname, "services.ts") }));
    },
};

/** `NODE_OPTIONS` with which programs of Node get to nobody outside of this computer: what is on paper has addresses there. */
export function stayingInside(options = process.env.NODE_OPTIONS): string {
    return [options, `--require="${join(__dirname, "stay-inside.cjs")}"`].filter(Boolean).join(" ");
}

/**
 * Puts providers that make everything on paper into a folder, for runs that have it first on their `PATH`: engines
 * find them there before any other.
 *
 * With `simulatesClouds` those of clouds are the simulated ones, which check what they get and keep an account, and
 * make no machines.
 */
export async function installPaper(
    folder: string,
    { simulatesClouds = false }: { readonly simulatesClouds?: boolean } = {},
): Promise<void> {
    mkdirSync(folder, { recursive: true });
    const paper = await bundled({ folder: "clouds/dry-run" });
    for (const name of [...clouds, ...others]) {
        const isSimulated = simulatesClouds && clouds.includes(name);
        const program = isSimulated ? await bundled({ folder: `clouds/${name}` }, [machinesOnPaper]) : paper;
        const { version } = require(`@pulumi/${name}/package.json`);
        const launcher = isSimulated ? launcherOf(program) : launcherOf(program, name, version);
        writeFileSync(join(folder, `pulumi-resource-${name}`), launcher, { mode: 0o755 });
    }
}
