/**
 * All checks before another Kubernetes version or the removal of a key, and of flags and of admission in kube-system.
 */
export const upgradeChecks = [
    "version",
    "kubelets",
    "components",
    "etcd",
    "removed-apis",
    "health",
    "guard",
    "checksums",
    "flags",
    "tokens",
    "cas",
    "admission",
    "pod-security",
    "local-data",
] as const;

export type UpgradeCheck = (typeof upgradeChecks)[number];

/** Whether a check only applies to another version of Kubernetes or etcd. */
export function isOfUpgrades(check: UpgradeCheck): boolean {
    return ["version", "kubelets", "components", "etcd", "removed-apis", "health", "guard"].includes(check);
}
