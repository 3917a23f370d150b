import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "esbuild";
import { bundled, launcherOf } from "../../plugins/stand-in";
import { simulatedClouds } from "..";

/** Either replaced as a whole, or simulated with their machines replaced. */
const clouds = Object.keys(simulatedClouds);

/** The other providers of our stacks except `tls`, whose keys and certificates are real. */
const others = ["command", "kubernetes"];

/** Machines, networks, disks and load balancers of a simulated cloud, replaced through its imports. */
const machinesOnPaper: Plugin = {
    name: "machines-on-paper",
    setup({ onResolve }) {
        onResolve({ filter: /^(\.\.\/)+machines$/ }, () => ({ path: join(__dirname, "machines.ts") }));
        onResolve({ filter: /^\.(\.\/services)?\/start$/ }, () => ({ path: join(__dirname, "services.ts") }));
    },
};

/**
 * `NODE_OPTIONS` that keep Node programs from connecting to other hosts, as the addresses of a dry run may exist there.
 */
export function stayingInside(options = process.env.NODE_OPTIONS): string {
    return [options, `--require="${join(__dirname, "stay-inside.cjs")}"`].filter(Boolean).join(" ");
}

/**
 * Puts providers that create nothing into a folder, for runs that have it first on their `PATH`: engines find them
 * there before any other.
 *
 * With `simulatesClouds` those of clouds are the simulated ones, which validate inputs and keep an account but create
 * no machines.
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
