import { randomUUID } from "node:crypto";
import { type Provider, serve } from "../../plugins/protocol/serve";
import { answerOf, outputsOf } from "./answers";

/**
 * A provider on paper: whatever is asked for is there at once, and nothing is. The engine keeps a whole stack's state
 * by it, as it would of a real one.
 */
function onPaper(name: string, version: string): Provider {
    return {
        name,
        version,
        resource: () => ({
            async create({ type, name: called, inputs, preview }) {
                if (preview) return { id: "", state: inputs };
                const { id = `${called}-${randomUUID()}`, ...outputs } = outputsOf(type, called, inputs);
                return { id: String(id), state: { ...inputs, ...outputs } };
            },
            update: async ({ inputs, state }) => ({ ...state, ...inputs }),
        }),
        invoke: async (token) => answerOf(token),
    };
}

const [name = "", version = ""] = process.argv.slice(2);
void serve(onPaper(name, version));
