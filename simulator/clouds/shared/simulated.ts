import { randomBytes } from "node:crypto";
import { type DeleteOperation, type Properties, type Resource, UNKNOWN } from "../../plugins/protocol/serve";
import { NotFound } from "./account";
import { checkInputs, diffInputs, type Inputs } from "./inputs";

/** The engine's parameters of a deletion. `timeout` is in seconds; 0 is the provider's default. */
export type Deletion = Pick<DeleteOperation, "inputs" | "timeout">;

/** A simulated type of the service. */
export interface Simulated<Account> {
    readonly inputs: Inputs;
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
}

/**
 * The type in the form the engine's plugin uses.
 *
 * @param exists - whether a refresh finds it. @default - it finds everything
 */
export function resourceOf<Account>(
    { inputs: known, outputs, autoName, updated = [], ...type }: Simulated<Account>,
    account: Account,
    exists: (id: string) => boolean = () => true,
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
        diff: async ({ oldInputs, inputs }) => diffInputs(oldInputs, inputs, known),
        async create({ inputs, preview }) {
            if (preview) {
                return { id: "", state: { ...inputs, ...Object.fromEntries(outputs.map((name) => [name, UNKNOWN])) } };
            }
            const made = await type.create(account, inputs);
            return { id: made.id, state: { ...inputs, ...made.outputs } };
        },
        read: async ({ id, state, inputs }) => (exists(id) ? { id, state, inputs } : undefined),
        ...(type.update && {
            async update({ id, inputs, oldInputs, state, preview }) {
                const kept = Object.fromEntries(outputs.map((name) => [name, state[name]]));
                const changed = preview
                    ? Object.fromEntries(updated.map((name) => [name, UNKNOWN]))
                    : await type.update!(account, id, inputs, oldInputs);
                return { ...inputs, ...kept, ...changed };
            },
        }),
        async delete({ id, inputs, timeout }) {
            try {
                await type.delete(account, id, { inputs, timeout });
            } catch (error) {
                // It was deleted in a run that was killed before it could record that.
                if (!(error instanceof NotFound && error.id === id)) throw error;
            }
        },
    };
}
