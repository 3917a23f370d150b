import { invalid, isQualifiedName, labelValue } from "./validate";

/** Label with the name of a node's pool. */
export const poolLabel = "node.kubernetes.io/pool";

/** Labels that the nodes of a pool get when they join; those that have joined keep theirs. */
export function nodeLabels(pool: string, own: Readonly<Record<string, string>>): Record<string, string> {
    return { ...own, [poolLabel]: pool };
}

/**
 * Role label of controllers. A policy reserves it for administrators, so that a stolen worker token cannot attract
 * control plane pods.
 */
export const controllerLabel = "node-role.kubernetes.io/control-plane";

/** Role label and taint of the arbiter: docs/arbiter.md. */
export const arbiterLabel = "node-role.kubernetes.io/arbiter";

export interface Taint {
    readonly key: string;
    readonly value: string;
    readonly effect: TaintEffect;
}

const taintEffects = ["NoSchedule", "PreferNoSchedule", "NoExecute"] as const;

type TaintEffect = (typeof taintEffects)[number];

/** Parses `key=value:Effect` or `key:Effect`. */
export function parseTaint(option: string, text: string): Taint {
    const [, key = "", value = "", effect = ""] = /^([^=:]+)(?:=([^:]*))?:(\w+)$/.exec(text) ?? [];
    if (!isQualifiedName(key) || !labelValue.test(value) || !taintEffects.includes(effect as TaintEffect)) {
        throw invalid(option, `key=value:Effect with an effect of ${taintEffects.join(", ")}`, text);
    }
    return { key, value, effect: effect as TaintEffect };
}

/** Kubernetes does not register a node with two taints of the same key and effect. */
export function requireDistinctTaints(option: string, taints: readonly Taint[]): void {
    const names = taints.map(({ key, effect }) => `${key}:${effect}`);
    const again = names.find((name, index) => names.indexOf(name) < index);
    if (again !== undefined) throw invalid(option, "taints that differ in key or effect", again);
}
