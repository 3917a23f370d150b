/** The label that names a node's pool. */
export const poolLabel = "node.kubernetes.io/pool";
