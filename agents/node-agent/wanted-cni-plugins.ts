import type { NodeAgentPlan, Source } from "./plan";

/** Of a SHA-256, what tells it from every other. */
const leastDigits = 12;

/** The plugins that the plan wants on a node, or what its annotation names, out of those that are pinned. */
export function wantedCniPlugins(
    { cniPlugins, otherCniPlugins = [] }: Pick<NodeAgentPlan, "cniPlugins" | "otherCniPlugins">,
    named: string | undefined,
): Source | { readonly refusal: string } {
    if (named === undefined) {
        return cniPlugins;
    }
    const pinned = [cniPlugins, ...otherCniPlugins];
    const found = named.length >= leastDigits && pinned.find(({ sha256 }) => sha256.startsWith(named));
    const legal = pinned.map(({ sha256 }) => sha256.slice(0, leastDigits)).join(", ");
    return found || { refusal: `the node's annotation of CNI plugins must name one of ${legal}, got ${named}` };
}
