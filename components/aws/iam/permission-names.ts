/** Names of the controllers' policies by component: `<cluster>-csi-driver`. No pool has such a name. */
export const permissionNames = {
    cloudController: "cloud-controller",
    csiDriver: "csi-driver",
    clusterAutoscaler: "cluster-autoscaler",
    nodeApprover: "node-approver",
    nodeCleaner: "node-cleaner",
    servingApprover: "serving-approver",
    etcdKeeper: "etcd-keeper",
} as const;
