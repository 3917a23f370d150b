interface Cordonable {
    readonly isCordoned: boolean;
    /** It is being removed from the cluster. */
    readonly isLeaving: boolean;
}

/** What keeps a node on which something failed cordoned: somebody may have made it schedulable, or registered it anew. */
export function keepCordoned(node: "unknown" | Cordonable): readonly "cordon"[] {
    return node !== "unknown" && !node.isCordoned && !node.isLeaving ? ["cordon"] : [];
}
