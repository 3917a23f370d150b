import { runtimeId } from "./layout";
import type { NodeAgentPlan, RuntimeSource } from "./plan";

/** A runtime that a node is to have, or why there is none. */
export type WantedRuntime = (RuntimeSource & { readonly id: string }) | { readonly refusal: string };

/** The container runtime that the plan wants on a node, or what its annotation names, out of those that are pinned. @default - the image's own */
export function wantedContainerRuntime(
    {
        containerRuntime,
        otherContainerRuntimes = [],
    }: Pick<NodeAgentPlan, "containerRuntime" | "otherContainerRuntimes">,
    named: string | undefined,
): WantedRuntime | undefined {
    if (containerRuntime === undefined) {
        return undefined;
    }
    const pinned = [containerRuntime, ...otherContainerRuntimes].map((source) => ({
        id: runtimeId(source),
        ...source,
    }));
    const found = named === undefined ? pinned[0] : pinned.find(({ id }) => id === named);
    const legal = pinned.map(({ id }) => id).join(", ");
    return found ?? { refusal: `the node's annotation of a container runtime must be one of ${legal}, got ${named}` };
}
