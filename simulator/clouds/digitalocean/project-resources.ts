import type { Properties } from "../../plugins/protocol/serve";
import { listOf, required, text } from "../shared/inputs";
import type { Simulated } from "../shared/simulated";
import type { Account } from "./account";

/** By the type in their URNs. */
const kinds = {
    droplet: "droplets",
    volume: "volumes",
    loadbalancer: "loadBalancers",
    space: "spacesBuckets",
} as const;

const urn = /^do:(droplet|volume|loadbalancer|space):(.+)$/;

/** Resources of a project, which stay in it; those removed from the list move to the default project. */
export const projectResources: Simulated<Account> = {
    inputs: {
        project: text("a project's id", /^[0-9a-f-]{36}$/, required),
        resources: listOf(
            "URNs of droplets, volumes, load balancers and Spaces",
            (value: unknown) => urn.test(String(value)),
            required,
        ),
    },
    outputs: [],
    async create(account, inputs) {
        assign(account, inputs);
        // Two stacks may have the same ones.
        return { id: String(inputs.project) };
    },
    async update(account, _, inputs, { resources } = {}) {
        const kept = inputs.resources as string[];
        // A resource that was deleted meanwhile is not an error.
        for (const each of resources as string[]) if (!kept.includes(each)) move(account, each, undefined);
        assign(account, inputs);
        return undefined;
    },
    async delete() {
        throw new Error("removing resources from a project is not simulated");
    },
};

function assign(account: Account, { project, resources }: Properties): void {
    requireProject(account, project);
    for (const each of resources as string[]) {
        if (!move(account, each, String(project))) throw new Error(`resources must exist (got ${each})`);
    }
}

/** What the service rejects. */
export function requireProject(account: Account, project: unknown): void {
    if (account.projects[String(project)] === undefined) {
        throw new Error(`a project must be one of the account's (got ${project})`);
    }
}

/** URNs of what is in a project. */
export function urnsIn({ resources }: Account, project: string): string[] {
    return Object.entries(kinds).flatMap(([type, kind]) =>
        Object.entries(resources[kind]).flatMap(([id, each]) => (each.project === project ? [`do:${type}:${id}`] : [])),
    );
}

/** Whether it existed and could be moved. */
function move(account: Account, each: string, project: string | undefined): boolean {
    const [, type, id] = urn.exec(each)!;
    const kind = kinds[type as keyof typeof kinds];
    const found = account.resources[kind][id!];
    if (found) account.put(kind, id!, { ...found, project });
    return found !== undefined;
}

export const tagPattern = /^[A-Za-z0-9:_-]{1,255}$/;
