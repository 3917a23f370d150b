import { type Properties, type Resource, UNKNOWN } from "../plugin";
import type { Account } from "./account";
import { checkInputs, diffInputs, type Inputs } from "./inputs";

/** A type of the service as it is simulated. */
export interface Simulated {
    readonly inputs: Inputs;
    /** Names of the outputs beside the inputs, unknown in preview. */
    readonly outputs: readonly string[];
    /** Makes it; an error is what the service would refuse. */
    create(account: Account, inputs: Properties): Promise<{ id: string; outputs?: Properties }>;
    /** Changes it in place. @default nothing of it changes in place */
    update?(account: Account, id: string, inputs: Properties): Promise<void>;
    delete(account: Account, id: string): Promise<void>;
}

/** The type as the engine's plugin has it. */
export function resourceOf({ inputs: known, outputs, ...type }: Simulated, account: Account): Resource {
    return {
        async check({ inputs, secrets }) {
            // The engine shows the value of a property that it is told.
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
        ...(type.update && {
            async update({ id, inputs, state, preview }) {
                if (!preview) {
                    await type.update!(account, id, inputs);
                }
                const kept = Object.fromEntries(outputs.map((name) => [name, state[name]]));
                return { ...inputs, ...kept };
            },
        }),
        delete: ({ id }) => type.delete(account, id),
    };
}
