import { randomUUID } from "node:crypto";
import { diffConfig } from "../../plugins/kubernetes/diff";
import { type Provider, serve } from "../../plugins/protocol/serve";
import { answerOf, outputsOf, updatesOf } from "./answers";

const kubernetes: Partial<Provider> = {
    // What replaces every object of a cluster must be seen in a dry run, too.
    diffConfig: async (after, before) => diffConfig(after, before),
    // For programs in YAML, which use no other.
    settings: ["kubeconfig", "clusterIdentifier"],
    types: { "kubernetes:core/v1:Namespace": { inputs: ["metadata"], outputs: [] } },
};

/**
 * A dry-run provider: every requested resource is reported as created at once, and nothing is created. The engine keeps
 * the whole stack's state with it, as with a real one.
 */
function onPaper(name: string, version: string): Provider {
    return {
        name,
        version,
        ...(name === "kubernetes" && kubernetes),
        resource: () => ({
            async create({ type, name: called, inputs, preview }) {
                if (preview) return { id: "", state: inputs };
                const { id = `${called}-${randomUUID()}`, ...outputs } = outputsOf(type, called, inputs);
                return { id: String(id), state: { ...inputs, ...outputs } };
            },
            update: async ({ type, inputs, state }) => ({
                ...{ ...state, ...inputs },
                ...updatesOf(type, inputs),
            }),
        }),
        invoke: async (token, args) => answerOf(token, args),
    };
}

const [name = "", version = ""] = process.argv.slice(2);
void serve(onPaper(name, version));
