import type { PodOrigin } from "../status/facts";
import type { ControllerView, NodeView, PartView, Topology } from "./topology";

const ORIGINS: Readonly<Record<PodOrigin, string>> = {
    api: "the API",
    static: "a static pod",
    checkpoint: "a checkpoint",
};

/** The picture in sentences, for those who do not see it. */
export function describe({ verdict, api, controllers, etcd, pools, findings }: Topology): string {
    return [
        verdict.words,
        ...findings.map(({ words }) => words.replace(/\.$/, "")),
        `${api.title} ${api.address}: ${api.words}`,
        etcd.words,
        ...controllers.map((node) => `Controller ${nodeWords(node)}: ${partsOf(node)}`),
        ...pools.map(({ name, size, nodes }) => [`Pool ${name}: ${size}`, ...nodes.map(nodeWords)].join("; ")),
    ]
        .map((sentence) => `${sentence}.`)
        .join("\n");
}

function nodeWords({ name, words, where }: NodeView): string {
    return [name, words, ...where].join(", ");
}

function partsOf({ parts }: ControllerView): string {
    return parts.map(partWords).join("; ");
}

function partWords({ component, words, origin }: PartView): string {
    return `${component} ${words}${origin ? `, from ${ORIGINS[origin]}` : ""}`;
}
