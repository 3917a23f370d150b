import { configChanges, type FileChange } from "./config-changes";
import { partsOf } from "./events";
import { knownSecrets, opened } from "./known-secrets";
import { readNodeConfig } from "./node-config";

/** What some machines boot with, which is to be another one. */
export interface ConfigChange {
    /** Names of the resources that have it. */
    readonly resources: readonly string[];
    readonly changes: readonly FileChange[];
}

type Inputs = Readonly<Record<string, unknown>>;

/** What `pulumi preview --save-plan --show-secrets` writes. */
export interface Plan {
    readonly resourcePlans?: Readonly<
        Record<string, { readonly goal?: { readonly inputDiff?: { readonly updates?: Inputs } | null } | null }>
    >;
}

/** What `pulumi stack export --show-secrets` prints. */
export interface Exported {
    readonly deployment?: { readonly resources?: readonly { readonly urn: string; readonly inputs?: Inputs }[] };
}

/** Whether a plan has another config for a machine. */
export function hasConfigs({ resourcePlans = {} }: Plan): boolean {
    return Object.values(resourcePlans).some(({ goal }) =>
        Object.values(goal?.inputDiff?.updates ?? {}).some((value) => readNodeConfig(opened(value))),
    );
}

/**
 * What machines boot with, before and after, out of a plan and a state that have secrets in plain text: those go no
 * further. Configs that change alike are told once.
 */
export function machineConfigs(plan: Plan, state: Exported): ConfigChange[] {
    const secrets = knownSecrets([plan, state]);
    const before = new Map(state.deployment?.resources?.map(({ urn, inputs = {} }) => [urn, inputs]));
    const found = new Map<string, { resources: string[]; changes: readonly FileChange[] }>();
    for (const [urn, { goal }] of Object.entries(plan.resourcePlans ?? {})) {
        for (const [key, value] of Object.entries(goal?.inputDiff?.updates ?? {})) {
            const changes = configChanges(opened(before.get(urn)?.[key]), opened(value), secrets) ?? [];
            if (changes.length === 0) continue;
            const alike = JSON.stringify(changes);
            const group = found.get(alike) ?? { resources: [], changes };
            found.set(alike, group);
            group.resources.push(partsOf(urn).name);
        }
    }
    return [...found.values()];
}
