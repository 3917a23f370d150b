import { type KubernetesObject, kindOf } from "./object";

/** Whether the object defines a new kind. */
export function isCustomResourceDefinition(object: KubernetesObject): boolean {
    const { group, kind } = kindOf(object);
    return group === "apiextensions.k8s.io" && kind === "CustomResourceDefinition";
}
