import { isObject, type Properties, secret } from "../protocol/serve";
import { fromApi, type KubernetesObject, withMetadata } from "./object";

// The contents of a Secret are secret, wherever they came from.
const SECRET_FIELDS = ["data", "stringData"];

/**
 * The recorded state of an object: the live object, and under the same names as in the official plugin (so that either
 * can continue from the other's state) the program's inputs and the owner of its fields. The list of all owners is left
 * out: it is long, and only the cluster's own list matters.
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

/** The live object in a record. */
export function liveOf(state: Properties): KubernetesObject {
    return Object.fromEntries(Object.entries(state).filter(([key]) => !key.startsWith("__")));
}

/**
 * The program's last inputs: those recorded by the plugin, otherwise the engine's. After a failed rollout the engine
 * has the previous inputs.
 */
export function inputsOf(oldInputs: Properties, state: Properties): KubernetesObject {
    return isObject(state.__inputs) ? state.__inputs : oldInputs;
}

/** Marks the contents of a Secret as secret, and every other field that `secrets` lists. */
export function marked(object: KubernetesObject, secrets: ReadonlySet<string>): Properties {
    const isSecretKind = object.kind === "Secret" && object.apiVersion === "v1";
    const entries = Object.entries(object).map(([key, value]): [string, unknown] => {
        const isSecret = secrets.has(key) || (isSecretKind && SECRET_FIELDS.includes(key));
        return [key, isSecret && value !== undefined ? secret(value) : value];
    });
    return Object.fromEntries(entries);
}
