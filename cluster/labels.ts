/** The label that names a node's pool. */
export const poolLabel = "node.kubernetes.io/pool";

/** The role label of controllers. A policy keeps it for administrators, so a stolen worker token attracts no control plane. */
export const controllerLabel = "node-role.kubernetes.io/control-plane";
