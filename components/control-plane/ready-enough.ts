/**
 * Checks of an apiserver that fail for a second whenever it starts: it looks for the default roles and the priority classes
 * before it can read, and again a second later. A cluster that ran before has them; one that begins waits for all checks
 * before it does anything else.
 */
const slowChecks = ["poststarthook/rbac/bootstrap-roles", "poststarthook/scheduling/bootstrap-system-priority-classes"];

/**
 * What an apiserver has to be ready for where nobody else serves: all the rest, that it knows the cluster's state among it.
 * kubeadm's serves before that, too.
 */
export const readyEnough = `readyz?${slowChecks.map((check) => `exclude=${check}`).join("&")}`;
