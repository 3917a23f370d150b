/** Steps of an upgrade in the stack's order: each starts when the previous one is complete. */
export const upgradeSteps = {
    snapshot: "a snapshot of etcd",
    etcd: "etcd, if it changes",
    checkpointer: "checkpointer",
    apiserver: "kube-apiserver",
    controllers: "kube-controller-manager and kube-scheduler",
    addons: "kube-proxy and the other add-ons",
    controllerKubelets: "the kubelets of controllers",
    workerKubelets: "the kubelets of workers, pool by pool",
} as const;

export type UpgradeStep = keyof typeof upgradeSteps;

/** For readers of a preview. */
export const upgradeOrder = Object.values(upgradeSteps).join(", then ");
