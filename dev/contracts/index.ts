import type { Contract } from "./contract";
import { awsCloudController, clusterAutoscaler, digitalOceanCloudController } from "./controllers";
import {
    awsCsiController,
    awsCsiNode,
    csiAttacher,
    csiLivenessProbe,
    csiNodeDriverRegistrar,
    csiProvisioner,
    csiResizer,
    csiSnapshotter,
    digitalOceanCsiController,
    digitalOceanCsiNode,
    snapshotController,
} from "./storage";

/** A Deployment or DaemonSet of a cloud, with the contract of each of its containers. */
export interface Workload {
    readonly cloud: "AWS" | "DigitalOcean";
    readonly name: string;
    readonly containers: Readonly<Record<string, Contract>>;
}

const csiController = (driver: Contract, attacher = csiAttacher) => ({
    driver,
    provisioner: csiProvisioner,
    attacher,
    resizer: csiResizer,
    snapshotter: csiSnapshotter,
    "liveness-probe": csiLivenessProbe,
});
const csiNode = (driver: Contract) => ({
    driver,
    "node-driver-registrar": csiNodeDriverRegistrar,
    "liveness-probe": csiLivenessProbe,
});

/** DigitalOcean's own manifest looks less often for volumes that were detached by others: each look lists all volumes. */
const rareAttacher: Contract = { ...csiAttacher, usualFlags: { "reconcile-sync": "30m" } };
const frequentAttacher: Contract = {
    ...csiAttacher,
    defaults: { ...csiAttacher.defaults, "--reconcile-sync": "1 min, also in AWS' own manifest" },
};

export const workloads: readonly Workload[] = [
    { cloud: "AWS", name: "cloud-controller-manager", containers: { "cloud-controller-manager": awsCloudController } },
    { cloud: "AWS", name: "cluster-autoscaler", containers: { "cluster-autoscaler": clusterAutoscaler } },
    { cloud: "AWS", name: "ebs-csi-controller", containers: csiController(awsCsiController, frequentAttacher) },
    { cloud: "AWS", name: "ebs-csi-node", containers: csiNode(awsCsiNode) },
    {
        cloud: "DigitalOcean",
        name: "cloud-controller-manager",
        containers: { "cloud-controller-manager": digitalOceanCloudController },
    },
    {
        cloud: "DigitalOcean",
        name: "do-csi-controller",
        containers: csiController(digitalOceanCsiController, rareAttacher),
    },
    { cloud: "AWS", name: "snapshot-controller", containers: { "snapshot-controller": snapshotController } },
    { cloud: "DigitalOcean", name: "snapshot-controller", containers: { "snapshot-controller": snapshotController } },
    { cloud: "DigitalOcean", name: "do-csi-node", containers: csiNode(digitalOceanCsiNode) },
];
