import { type Manifest, without } from "../../manifest";
import type { Cluster } from "../../model";
import { requires } from "../../validate";
import { onAnyController } from "../agent-workloads";
import { asUser, confined, lastWords, type PodSpec, unprivilegedId } from "../pod";
import { namespaceRole, serviceAccount } from "../rbac";
import { replicatedController } from "./cloud-controller";
import { snapshotDefinitions, snapshotGroup } from "./snapshot-definitions";

const name = "snapshot-controller";

/** Whether claims can have snapshots. */
export function requireVolumeSnapshots(options: {
    readonly csiDriver?: boolean;
    readonly volumeSnapshots?: boolean;
}): boolean {
    const { csiDriver = false, volumeSnapshots = false } = options;
    if (volumeSnapshots && !csiDriver) throw requires("volumeSnapshots", "csiDriver", true);
    return volumeSnapshots;
}

/** The kinds of snapshots, the controller that binds them, and the default class of a CSI driver. */
export function volumeSnapshots(cluster: Cluster, className: string, driver: string): Manifest[] {
    return [
        ...snapshotDefinitions,
        {
            apiVersion: `${snapshotGroup}/v1`,
            kind: "VolumeSnapshotClass",
            metadata: {
                name: className,
                annotations: { "snapshot.storage.kubernetes.io/is-default-class": "true" },
            },
            driver,
            deletionPolicy: "Delete",
        },
        ...serviceAccount(name, controllerRules),
        ...namespaceRole(name, leases),
        ...replicatedController(cluster, name, pod(cluster)),
    ];
}

/** On the pod network: unlike the driver, it does not use the machine's identity. */
function pod(cluster: Cluster): PodSpec {
    const placement = {
        ...without(onAnyController(cluster, name), "hostNetwork"),
        securityContext: asUser(unprivilegedId),
    };
    const container = {
        name,
        image: cluster.images.snapshotController,
        ...lastWords,
        args: ["--leader-election=true"],
        resources: { requests: { cpu: "10m", memory: "32Mi" } },
        securityContext: confined,
    };
    return { ...placement, containers: [container] };
}

const readVerbs = ["get", "list", "watch"];
const snapshots = (resources: string[], verbs: string[]) => ({ apiGroups: [snapshotGroup], resources, verbs });

// Source: the RBAC rules of external-snapshotter, without those for groups of snapshots.
const controllerRules = [
    { apiGroups: [""], resources: ["persistentvolumes"], verbs: readVerbs },
    { apiGroups: [""], resources: ["persistentvolumeclaims"], verbs: [...readVerbs, "update"] },
    { apiGroups: [""], resources: ["events"], verbs: ["list", "watch", "create", "update", "patch"] },
    snapshots(["volumesnapshotclasses"], readVerbs),
    snapshots(["volumesnapshotcontents"], [...readVerbs, "create", "update", "patch", "delete"]),
    snapshots(["volumesnapshotcontents/status"], ["patch"]),
    snapshots(["volumesnapshots"], [...readVerbs, "update", "patch"]),
    snapshots(["volumesnapshots/status"], ["update", "patch"]),
];
const leases = [
    {
        apiGroups: ["coordination.k8s.io"],
        resources: ["leases"],
        verbs: [...readVerbs, "create", "update", "patch", "delete"],
    },
];

/** Of the sidecar `csi-snapshotter`, which has the driver take and delete them. */
export const snapshotterRules = [
    snapshots(["volumesnapshotclasses"], readVerbs),
    snapshots(["volumesnapshotcontents"], [...readVerbs, "update", "patch"]),
    snapshots(["volumesnapshotcontents/status"], ["update", "patch"]),
];

/** Of the sidecar `csi-provisioner`, for claims that restore a snapshot. */
export const provisionerReads = [snapshots(["volumesnapshots", "volumesnapshotcontents"], ["get", "list"])];
