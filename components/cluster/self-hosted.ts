import type { ComponentOptions, SelfHostedOptions } from "./options";
import { invalid } from "./validate";

/** What hosts itself beside the control plane: docs/levels.md. */
export interface SelfHostedParts {
    /** The kubelet, as a pod of each node. */
    readonly kubelet: boolean;
}

/** Flags by which a node's two kubelets are never at work at once. */
const lockFlags = ["lock-file", "exit-on-lock-contention"];

/** Validates what hosts itself. */
export function resolveSelfHosted(
    options: SelfHostedOptions,
    { kubelet: flags = {} }: ComponentOptions,
): SelfHostedParts {
    const unknown = Object.keys(options).find((key) => key !== "kubelet");
    if (unknown !== undefined) {
        throw invalid("a key of selfHosted", "kubelet", unknown);
    }
    const { kubelet = false } = options;
    if (typeof kubelet !== "boolean") {
        throw invalid("selfHosted.kubelet", "true or false", kubelet);
    }
    const own = kubelet ? lockFlags.find((flag) => flag in flags) : undefined;
    if (own !== undefined) {
        throw invalid(`components.kubelet.${own}`, "left out where selfHosted.kubelet is true", flags[own]);
    }
    return { kubelet };
}
