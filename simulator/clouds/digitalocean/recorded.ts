import type { Properties, Resource } from "../../plugins/protocol/serve";
import { met } from "../shared/behaviours";
import type { Account } from "./account";
import { call } from "./client";

/** Inputs that the service does not return: an import has none of them. */
const withheld = ["userData", "sshKeys", "gracefulShutdown", "dropletAgent", "forceDestroy"];

/**
 * The type as its provider is: throttled, and with a `read` that finds what exists now, so that a refresh notices
 * changes and deletions, and an import finds inputs.
 */
export function recorded(resource: Resource, account: Account): Resource {
    const keep = (id: string, type: string, inputs: Properties, state: Properties) =>
        account.record(id, { type, inputs: without(inputs, withheld), state: without(state, withheld) });
    return {
        ...resource,
        async create(operation) {
            if (operation.preview) return resource.create(operation);
            const made = await call(account, `Error creating ${operation.name}`, () => resource.create(operation));
            keep(made.id, operation.type, operation.inputs, made.state);
            return made;
        },
        async read({ id, type, name, state, inputs }) {
            const { [id]: kept } = account.state.records ?? {};
            const exists = await call(account, `Error retrieving ${name}`, () => account.has(type, id));
            if (!exists || (kept && kept.type !== type)) {
                met("changed by others");
                return undefined;
            }
            if (!kept) return Object.keys(state).length > 0 ? { id, state, inputs } : undefined;
            const isImport = Object.keys(inputs).length === 0;
            return {
                id,
                state: { ...state, ...kept.state },
                inputs: isImport ? kept.inputs : { ...inputs, ...only(kept.inputs, Object.keys(inputs)) },
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
            account.forget(operation.id);
        },
    };
}

function without(all: Properties, left: readonly string[]): Properties {
    return Object.fromEntries(Object.entries(all).filter(([name]) => !left.includes(name)));
}

function only(all: Properties, names: readonly string[]): Properties {
    return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
}
