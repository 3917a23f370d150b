import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isInAccount, lostCreates, nameOf, type PendingOperation } from "./pending";
import { pulumi, pulumiJson } from "./pulumi";
import { readConfig } from "./stack-config";
import type { ClusterState } from "./state";

/** The name in the checkout's Pulumi.yaml, used as a folder by the backend. */
const PROJECT = "tradewind";

export function hasStack({ backend, name }: ClusterState): boolean {
    return existsSync(join(stacksOf(backend), `${name}.json`));
}

/** What a stack has, or may have, in an account: its resources, and those that a killed run was creating. */
export function accountResources(state: ClusterState): string[] {
    const { resources = [], pending_operations: pending = [] } = latestOf(state);
    const known = resources.filter(({ id, type, external: isFound }) => id && !isFound && isInAccount(type));
    return [
        ...known.map((each) => `${nameOf(each)} (${each.id})`),
        ...lostCreates(pending).map(({ resource }) => `${nameOf(resource)} (its creation was interrupted)`),
    ];
}

/** @throws Error if the stack's file is damaged */
export function latestOf({ backend, name }: ClusterState): Latest {
    const file = join(stacksOf(backend), `${name}.json`);
    try {
        const stored: Stored | null = JSON.parse(readFileSync(file, "utf8"));
        return stored?.checkpoint?.latest ?? {};
    } catch (error) {
        const backups = join(backend, ".pulumi/backups", PROJECT, name);
        const advice = `replace it with the newest one in ${backups}, then run npm run pulumi -- --name ${name} refresh`;
        throw new Error(`${file}, the state of the stack, is damaged: ${advice} (${(error as Error).message})`);
    }
}

interface StoredResource {
    readonly urn: string;
    readonly type: string;
    readonly id?: string;
    /** Of something that the stack only refers to. */
    readonly external?: boolean;
}

/** A stack, as the `file://` backend stores it. */
interface Stored {
    readonly checkpoint?: { readonly latest?: Latest };
}

interface Latest {
    readonly resources?: readonly StoredResource[];
    readonly pending_operations?: readonly PendingOperation[];
}

function stacksOf(backend: string): string {
    return join(backend, ".pulumi/stacks", PROJECT);
}

/**
 * A cluster's machines, state folder and stack must have the same name.
 *
 * @throws Error if the stack was renamed, with the command to undo it
 */
export function requireOwnName(state: ClusterState): void {
    const { backend, name } = state;
    if (hasStack(state) || !existsSync(stacksOf(backend))) return;
    const [other] = readdirSync(stacksOf(backend)).flatMap((file) => /^(.+)\.json$/.exec(file)?.[1] ?? []);
    if (other === undefined) return;
    const back = `npm run pulumi -- --name ${name} stack rename --stack ${other} ${name}`;
    throw new Error(`the stack of the cluster ${name} was renamed to ${other}; rename it back with ${back}`);
}

/**
 * With an empty configuration, an existing cluster would get that of a new one, and lose its other machines.
 *
 * @throws Error if the stack has resources, but no configuration, with the command to restore it
 */
export function requireConfig(state: ClusterState): void {
    const { config, name } = state;
    const isEmpty = !Object.keys(readConfig(config)).some((key) => key.startsWith("tradewind:"));
    if (!isEmpty || !hasStack(state) || (latestOf(state).resources ?? []).length === 0) return;
    throw new Error(
        `${config} must have the configuration of the cluster ${name}, which exists, but has none; ` +
            `npm run pulumi -- --name ${name} config refresh restores that of the last pulumi up`,
    );
}

/**
 * Creates the stack if it does not exist. The CLI stores a new stack's salt in the project's folder and does not support
 * `--config-file` for this: a project file next to the configuration keeps the checkout clean.
 */
export async function ensureStack(state: ClusterState): Promise<void> {
    if (hasStack(state)) {
        return;
    }
    await withProject(state, () => pulumi(state, ["stack", "init", state.name, "--no-select"], state.dir));
}

/** Runs work while the state's folder is a project whose configuration is the cluster's. */
export async function withProject<T>(state: ClusterState, work: () => Promise<T>): Promise<T> {
    const project = join(state.dir, "Pulumi.yaml");
    writeFileSync(project, `name: ${PROJECT}\nruntime: nodejs\n`);
    try {
        return await work();
    } finally {
        rmSync(project, { force: true });
    }
}

/** The stack's outputs, with secrets in plain text. */
export async function stackOutputs(state: ClusterState): Promise<Record<string, unknown>> {
    return pulumiJson(state, ["stack", "output", "--json", "--show-secrets"]);
}
