/** User and group `nobody`, which any pod may run as. */
export const unprivilegedId = 65534;

/**
 * Users of the control plane's pods, with groups of the same numbers.
 *
 * Generations of a component share their ports with SO_REUSEPORT, which the kernel allows for sockets of the same user.
 * So nothing else may run as that user: the numbers are from a range that neither systemd nor Linux distributions
 * assign (60706 to 61183), and a policy reserves them for kube-system: `kube-system-policy.ts`.
 */
export const componentUsers = {
    "kube-apiserver": 60801,
    "kube-controller-manager": 60802,
    "kube-scheduler": 60803,
    "node-approver": 60804,
} as const;

export type Component = keyof typeof componentUsers;
