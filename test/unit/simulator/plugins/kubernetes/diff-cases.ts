import { type Config, parseConfig } from "../../../../../simulator/plugins/kubernetes/config";
import { diff } from "../../../../../simulator/plugins/kubernetes/diff";
import type { KubernetesObject } from "../../../../../simulator/plugins/kubernetes/object";

/** The diff of two versions of an object whose live state is as last written. */
export function between(
    before: KubernetesObject,
    inputs: KubernetesObject,
    options: Partial<Config> = {},
    isPatch = false,
) {
    return diff({ inputs, oldInputs: before, live: before }, { ...parseConfig({}, {}), ...options }, isPatch);
}

export function object(kind: string, apiVersion: string, rest: object = {}): KubernetesObject {
    return { apiVersion, kind, metadata: { name: "a", namespace: "b" }, ...rest };
}
