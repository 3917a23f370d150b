import { randomBytes } from "node:crypto";
import { InitializationError } from "../../plugins/protocol/responses";
import {
    type DeleteOperation,
    type Properties,
    type Provider,
    type Resource,
    UNKNOWN,
} from "../../plugins/protocol/serve";
import { NotFound } from "./account";
import { met } from "./behaviours";
import { checkInputs, diffInputs, type Inputs } from "./inputs";
import type { Memory } from "./memory";
import type { Ownership, Ownerships } from "./ownership";

/** The engine's parameters of a deletion. `timeout` is in seconds; 0 is the provider's default. */
export type Deletion = Pick<DeleteOperation, "inputs" | "timeout">;

/** A simulated type of the service. */
export interface Simulated<Account> {
    readonly inputs: Inputs;
    /** What the provider does with the inputs. @default a change of any of them is made in place */
    readonly ownership?: Ownership;
    /** Names of the outputs in addition to the inputs, unknown in preview. */
    readonly outputs: readonly string[];
    /** The input that defaults to the resource's name followed by digits. @default none */
    readonly autoName?: string;
    /** Creates it; throws what the service would reject. */
    create(account: Account, inputs: Properties): Promise<{ id: string; outputs?: Properties }>;
    /** Changes it in place and returns changed outputs. @default nothing can be changed in place */
    update?(account: Account, id: string, inputs: Properties, before?: Properties): Promise<Properties | undefined>;
    /** Names of the outputs that every update changes. @default none */
    readonly updated?: readonly string[];
    delete(account: Account, id: string, operation?: Deletion): Promise<void>;
    /** Properties that others than the stack change, as they are now. @default none */
    now?(account: Account, id: string): Properties;
}

/**
 * An update that was refused. The provider's SDK records what was requested as if it were so, and reports the error; only
 * a refresh finds out. Source: `schema.Resource` of terraform-plugin-sdk, for updates that do not set `Partial`.
 */
export class HalfDone extends Error {}

/** The types, each with what its provider does with its inputs. */
export function owned<Account>(
    types: Readonly<Record<string, Simulated<Account>>>,
    ownerships: Ownerships,
): Readonly<Record<string, Simulated<Account>>> {
    return Object.fromEntries(
        Object.entries(types).map(([token, type]) => [token, { ...type, ownership: ownerships[token] }]),
    );
}

/** Names of the inputs and outputs of types. */
export function namesOf<Account>(types: Readonly<Record<string, Simulated<Account>>>): NonNullable<Provider["types"]> {
    const all = Object.entries(types).map(([token, { inputs, outputs }]) => [
        token,
        { inputs: Object.keys(inputs), outputs },
    ]);
    return Object.fromEntries(all);
}

/**
 * The type in the form the engine's plugin uses.
 *
 * @param exists - whether a refresh finds it. @default - it finds everything
 * @param memory - what the service describes. @default - what the stack has in its state
 */
export function resourceOf<Account>(
    { inputs: known, ownership = { replacedBy: [] }, outputs, autoName, updated = [], ...type }: Simulated<Account>,
    account: Account,
    exists: (id: string) => boolean = () => true,
    memory?: Memory,
): Resource {
    return {
        async check({ inputs: given, oldInputs, name, secrets }) {
            const inputs = autoName
                ? { [autoName]: oldInputs[autoName] ?? `${name}-${randomBytes(4).toString("hex").slice(1)}`, ...given }
                : given;
            // The engine displays the value of the returned property.
            const failures = checkInputs(inputs, known).map(({ property, reason }) => ({
                property: secrets.has(property) ? "" : property,
                reason,
            }));
            return { inputs, failures };
        },
        diff: async ({ oldInputs, inputs }) => diffInputs(oldInputs, inputs, ownership),
        async create({ type: token, inputs, preview }) {
            if (preview) {
                return { id: "", state: { ...inputs, ...Object.fromEntries(outputs.map((name) => [name, UNKNOWN])) } };
            }
            const created = await type.create(account, inputs);
            const state = { ...inputs, ...created.outputs };
            memory?.remember(token, created.id, { inputs, state });
            return { id: created.id, state };
        },
        async read({ type: token, id, ...recorded }) {
            if (!exists(id)) {
                met("changed by others");
                return undefined;
            }
            const described = memory?.recall(token, id);
            // An import has no state: then it must be described.
            if (!described && Object.keys(recorded.state).length === 0) return undefined;
            const { inputs, state } = described ?? recorded;
            const now = type.now?.(account, id) ?? {};
            const given = Object.entries(now).filter(([name]) => name in inputs);
            const isChanged = given.some(([name, value]) => JSON.stringify(value) !== JSON.stringify(inputs[name]));
            if (isChanged) met("changed by others");
            return { id, state: { ...state, ...now }, inputs: { ...inputs, ...Object.fromEntries(given) } };
        },
        ...(type.update && {
            async update({ type: token, id, inputs, oldInputs, state, preview }) {
                const kept = Object.fromEntries(outputs.map((name) => [name, state[name]]));
                const changed = preview
                    ? Object.fromEntries(updated.map((name) => [name, UNKNOWN]))
                    : await type.update!(account, id, inputs, oldInputs).catch((error) => {
                          if (!(error instanceof HalfDone)) throw error;
                          throw new InitializationError(error.message, id, { ...state, ...inputs });
                      });
                const updatedState = { ...inputs, ...kept, ...changed };
                if (!preview) memory?.remember(token, id, { inputs, state: updatedState });
                return updatedState;
            },
        }),
        async delete({ type: token, id, inputs, timeout }) {
            try {
                await type.delete(account, id, { inputs, timeout });
            } catch (error) {
                // It was deleted in a run that was killed before it could record that.
                if (!(error instanceof NotFound && error.id === id)) throw error;
            }
            memory?.forget(token, id);
        },
    };
}
