import type { Properties, Resource } from "../../plugins/protocol/serve";
import { met } from "../shared/behaviours";
import type { Simulated } from "../shared/simulated";
import type { Account } from "./account";
import { call } from "./client";

/** Inputs that the service does not return: an import has none of them. */
const withheld = ["userData", "sshKeys", "gracefulShutdown", "dropletAgent", "forceDestroy"];

/**
 * What an import of these types alone lacks: their provider has no importer for them, only a read by id. Source:
 * terraform-provider-digitalocean, resource_custom_image.go, resource_project_resources.go, resource_spaces_key.go.
 */
const lost: Readonly<Record<string, readonly string[]>> = {
    "digitalocean:index/customImage:CustomImage": ["url"],
    "digitalocean:index/projectResources:ProjectResources": ["resources"],
    "digitalocean:index/spacesKey:SpacesKey": ["secretKey"],
};

/** Inputs that ids for imports begin with, separated by a comma. Source: the same, the Import sections of record.md and spaces_bucket.md. */
const prefixes: Readonly<Record<string, string>> = {
    "digitalocean:index/dnsRecord:DnsRecord": "domain",
    "digitalocean:index/spacesBucket:SpacesBucket": "region",
};

/**
 * The type as its provider is: throttled, and with a `read` that finds what exists now, so that a refresh notices
 * changes and deletions, and an import finds inputs.
 */
export function recorded(resource: Resource, account: Account, now: Simulated<Account>["now"]): Resource {
    const keep = (id: string, type: string, inputs: Properties, state: Properties) =>
        account.record(keyOf(type, id), { type, inputs: without(inputs, withheld), state: without(state, withheld) });
    return {
        ...resource,
        async create(operation) {
            if (operation.preview) return resource.create(operation);
            const created = await call(account, `Error creating ${operation.name}`, () => resource.create(operation));
            keep(created.id, operation.type, operation.inputs, created.state);
            return created;
        },
        async read({ id: given, type, name, state, inputs }) {
            const isImport = Object.keys(state).length === 0;
            const [, place, id] = (isImport && /^([^,]+),(.+)$/.exec(given)) || [undefined, undefined, given];
            const { [keyOf(type, id)]: kept } = account.state.records ?? {};
            const { [type]: prefix } = prefixes;
            // Without it, the provider asks for something that does not exist.
            if (isImport && place !== (prefix && kept?.inputs[prefix])) return undefined;
            const exists = await call(account, `Error retrieving ${name}`, () => account.has(type, id));
            if (!exists || (kept && kept.type !== type)) {
                met("changed by others");
                return undefined;
            }
            if (!kept) return isImport ? undefined : { id, state, inputs };
            if (isImport) {
                const { [type]: left = [] } = lost;
                return { id, state: without(kept.state, left), inputs: without(kept.inputs, left) };
            }
            const changed = now?.(account, id) ?? {};
            return {
                id,
                state: { ...state, ...kept.state, ...changed },
                inputs: { ...inputs, ...only({ ...kept.inputs, ...changed }, Object.keys(inputs)) },
            };
        },
        ...(resource.update && {
            async update(operation) {
                if (operation.preview) return resource.update!(operation);
                const state = await call(account, `Error updating ${operation.name}`, () =>
                    resource.update!(operation),
                );
                keep(operation.id, operation.type, operation.inputs, state);
                return state;
            },
        }),
        async delete(operation) {
            await call(account, `Error deleting ${operation.name}`, () => resource.delete?.(operation));
            account.forget(keyOf(operation.type, operation.id));
        },
    };
}

/** Resources of a project have the project's id. */
function keyOf(type: string, id: string): string {
    return type === "digitalocean:index/projectResources:ProjectResources" ? `resources of ${id}` : id;
}

function without(all: Properties, left: readonly string[]): Properties {
    return Object.fromEntries(Object.entries(all).filter(([name]) => !left.includes(name)));
}

function only(all: Properties, names: readonly string[]): Properties {
    return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
}
