import { randomBytes } from "node:crypto";
import { annotation, isAnnotated } from "./annotations";
import { type KubernetesObject, withMetadata } from "./object";

const LETTERS = 8;

/** Gives an object without a name the one it had, or the resource's name with a random end. */
export function named(inputs: KubernetesObject, oldInputs: KubernetesObject, resourceName: string): KubernetesObject {
    if (inputs.metadata?.name) return inputs;
    const name = isAnnotated(oldInputs, "autonamed") ? oldInputs.metadata?.name : undefined;
    return withMetadata(inputs, {
        name: name ?? `${resourceName}-${randomBytes(LETTERS / 2).toString("hex")}`,
        annotations: { ...inputs.metadata?.annotations, [annotation.autonamed]: "true" },
    });
}
