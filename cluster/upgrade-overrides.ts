/** Everything that is looked at before another Kubernetes version is begun with, before a key goes, of flags, and of what kube-system admits. */
export const upgradeChecks = [
    "version",
    "kubelets",
    "components",
    "etcd",
    "removed-apis",
    "health",
    "checksums",
    "flags",
    "tokens",
    "authorities",
    "admission",
] as const;

export type UpgradeCheck = (typeof upgradeChecks)[number];

/** Whether it is looked at for another version, of Kubernetes or of etcd, alone. */
export function isOfUpgrades(check: UpgradeCheck): boolean {
    return ["version", "kubelets", "components", "etcd", "removed-apis", "health"].includes(check);
}
