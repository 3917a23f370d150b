/** The steps of an upgrade, in the order in which the stack takes them: each begins when the one before is whole. */
export const upgradeSteps = {
    snapshot: "a snapshot of etcd",
    etcd: "etcd where it changes",
    checkpointer: "checkpointer",
    apiserver: "kube-apiserver",
    controllers: "kube-controller-manager and kube-scheduler",
    addons: "kube-proxy and the other add-ons",
    controllerKubelets: "the kubelets of controllers",
    workerKubelets: "those of workers, pool after pool",
} as const;

export type UpgradeStep = keyof typeof upgradeSteps;

/** For who reads a preview. */
export const upgradeOrder = Object.values(upgradeSteps).join(", then ");
