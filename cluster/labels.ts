/** Label with the name of a node's pool. */
export const poolLabel = "node.kubernetes.io/pool";

/**
 * Role label of controllers. A policy reserves it for administrators, so that a stolen worker token cannot attract
 * control plane pods.
 */
export const controllerLabel = "node-role.kubernetes.io/control-plane";
