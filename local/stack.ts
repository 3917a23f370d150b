import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pulumi } from "./pulumi";
import type { ClusterState } from "./state";

/** The name in the checkout's Pulumi.yaml, under which the backend keeps our stacks. */
const PROJECT = "tradewind";

export function hasStack({ backend, name }: ClusterState): boolean {
    return existsSync(join(stacksOf(backend), `${name}.json`));
}

function stacksOf(backend: string): string {
    return join(backend, ".pulumi/stacks", PROJECT);
}

/**
 * A cluster's machines, its state folder and its stack have one name.
 *
 * @throws Error where the stack was renamed, with the way back
 */
export function requireOwnName(state: ClusterState): void {
    const { backend, name } = state;
    if (hasStack(state) || !existsSync(stacksOf(backend))) return;
    const [other] = readdirSync(stacksOf(backend)).flatMap((file) => /^(.+)\.json$/.exec(file)?.[1] ?? []);
    if (other === undefined) return;
    const back = `npm run pulumi -- --name ${name} stack rename --stack ${other} ${name}`;
    throw new Error(`the stack of the cluster ${name} must have its name, got ${other}: rename it back: ${back}`);
}

/**
 * Makes the stack if it is not there. The CLI writes a new stack's salt into the project's folder and takes no
 * `--config-file` here: a project file beside the configuration keeps the checkout clean.
 */
export async function ensureStack(state: ClusterState): Promise<void> {
    if (hasStack(state)) {
        return;
    }
    const project = join(state.dir, "Pulumi.yaml");
    writeFileSync(project, `name: ${PROJECT}\nruntime: nodejs\n`);
    try {
        await pulumi(state, ["stack", "init", state.name, "--no-select"], state.dir);
    } finally {
        rmSync(project);
    }
}

/** What the stack's program returned; secrets in plain text. */
export async function stackOutputs(state: ClusterState): Promise<Record<string, unknown>> {
    return JSON.parse(await pulumi(state, ["stack", "output", "--json", "--show-secrets"]));
}
