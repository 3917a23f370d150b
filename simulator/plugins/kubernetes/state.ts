import { isObject, type Properties, secret } from "../protocol/serve";
import { fromApi, type KubernetesObject, withMetadata } from "./object";

// What a Secret holds is secret, however it came to be there.
const SECRET_FIELDS = ["data", "stringData"];

/**
 * What is recorded of an object: the object as it lives, and beside it, under the names that the official plugin
 * gives them (so that either can go on where the other left off), what the program asked for and who owns its fields.
 * The list of all owners is left out: it is long, and only the cluster's own counts.
 */
export function recordOf(
    live: KubernetesObject,
    inputs: KubernetesObject,
    { fieldManager, secrets }: { fieldManager: string; secrets: ReadonlySet<string> },
): Properties {
    return {
        ...marked(fromApi(withMetadata(live, { managedFields: undefined })), new Set()),
        __inputs: marked(inputs, secrets),
        __initialApiVersion: inputs.apiVersion,
        __fieldManager: fieldManager,
    };
}

/** The live object of a record. */
export function liveOf(state: Properties): KubernetesObject {
    return Object.fromEntries(Object.entries(state).filter(([key]) => !key.startsWith("__")));
}

/**
 * What the program asked for last: what the plugin recorded, or else the engine. After a rollout that failed the engine
 * has the inputs of before.
 */
export function inputsOf(oldInputs: Properties, state: Properties): KubernetesObject {
    return isObject(state.__inputs) ? state.__inputs : oldInputs;
}

/** With the contents of a Secret marked secret, and with every other field that `secrets` names. */
export function marked(object: KubernetesObject, secrets: ReadonlySet<string>): Properties {
    const isSecretKind = object.kind === "Secret" && object.apiVersion === "v1";
    const entries = Object.entries(object).map(([key, value]): [string, unknown] => {
        const isSecret = secrets.has(key) || (isSecretKind && SECRET_FIELDS.includes(key));
        return [key, isSecret && value !== undefined ? secret(value) : value];
    });
    return Object.fromEntries(entries);
}
