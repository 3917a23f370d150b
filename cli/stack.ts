import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pulumi } from "./pulumi-cli";
import type { ClusterState } from "./state";

/** The name in the checkout's Pulumi.yaml, under which the backend keeps our stacks. */
const PROJECT = "tradewind";

export function hasStack({ backend, name }: ClusterState): boolean {
    return existsSync(join(backend, ".pulumi/stacks", PROJECT, `${name}.json`));
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
