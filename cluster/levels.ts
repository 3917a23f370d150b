import type { ComponentOptions, SelfHostedOptions } from "./options";
import { conflictsWith, invalid } from "./validate";

/** Components that are self-hosted in addition to the control plane: docs/levels.md. */
export interface SelfHostedParts {
    /** The kubelet, as a pod on each node. */
    readonly kubelet: boolean;
    /** The etcd members, as pods on controllers. */
    readonly etcd: boolean;
}

const parts = ["kubelet", "etcd"];

/** Flags that keep a node's two kubelets from running at the same time. */
const lockFlags = ["lock-file", "exit-on-lock-contention"];

/** Validates the self-hosted components. */
export function resolveSelfHosted(
    options: SelfHostedOptions,
    { kubelet: flags = {} }: ComponentOptions,
): SelfHostedParts {
    const unknown = Object.keys(options).find((key) => !parts.includes(key));
    if (unknown !== undefined) throw invalid("a key of selfHosted", parts.join(" or "), unknown);
    const { kubelet = false, etcd = false } = options;
    for (const [part, value] of Object.entries({ kubelet, etcd })) {
        if (typeof value !== "boolean") throw invalid(`selfHosted.${part}`, "true or false", value);
    }
    const own = kubelet ? lockFlags.find((flag) => flag in flags) : undefined;
    if (own !== undefined) {
        throw conflictsWith(`components.kubelet.${own}`, "selfHosted.kubelet", flags[own]);
    }
    return { kubelet, etcd };
}
