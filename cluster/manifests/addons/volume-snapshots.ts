import { type Manifest, without } from "../../manifest";
import type { Cluster } from "../../model";
import { invalid } from "../../validate";
import { onAnyController } from "../agent-workloads";
import { disruptionBudget, systemNamespace } from "../objects";
import { asUser, confined, lastWords, unprivilegedId } from "../pod";
import { namespaceRole, serviceAccount } from "../rbac";
import { snapshotDefinitions, snapshotGroup } from "./snapshot-definitions";

const name = "snapshot-controller";
const labels = { "k8s-app": name };

/** Whether claims can have snapshots. */
export function requireVolumeSnapshots(options: {
    readonly csiDriver?: boolean;
    readonly volumeSnapshots?: boolean;
}): boolean {
    const { csiDriver: hasCsiDriver = false, volumeSnapshots: hasSnapshots = false } = options;
    if (hasSnapshots && !hasCsiDriver) throw invalid("volumeSnapshots", "omitted without csiDriver", true);
    return hasSnapshots;
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
        deployment(cluster),
        disruptionBudget(cluster, name, { maxUnavailable: 1 }, name, labels),
    ];
}

/** On the pod network: unlike the driver, it does not use the machine's identity. */
function deployment(cluster: Cluster): Manifest {
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
    return {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name, namespace: systemNamespace, labels },
        spec: {
            replicas: Math.min(2, cluster.controllers.names.length),
            strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
            selector: { matchLabels: labels },
            template: { metadata: { labels }, spec: { ...placement, containers: [container] } },
        },
    };
}

const looks = ["get", "list", "watch"];
const snapshots = (resources: string[], verbs: string[]) => ({ apiGroups: [snapshotGroup], resources, verbs });

// Source: the RBAC rules of external-snapshotter, without those for groups of snapshots.
const controllerRules = [
    { apiGroups: [""], resources: ["persistentvolumes"], verbs: looks },
    { apiGroups: [""], resources: ["persistentvolumeclaims"], verbs: [...looks, "update"] },
    { apiGroups: [""], resources: ["events"], verbs: ["list", "watch", "create", "update", "patch"] },
    snapshots(["volumesnapshotclasses"], looks),
    snapshots(["volumesnapshotcontents"], [...looks, "create", "update", "patch", "delete"]),
    snapshots(["volumesnapshotcontents/status"], ["patch"]),
    snapshots(["volumesnapshots"], [...looks, "update", "patch"]),
    snapshots(["volumesnapshots/status"], ["update", "patch"]),
];
const leases = [
    {
        apiGroups: ["coordination.k8s.io"],
        resources: ["leases"],
        verbs: [...looks, "create", "update", "patch", "delete"],
    },
];

/** Of the sidecar `csi-snapshotter`, which has the driver take and delete them. */
export const snapshotterRules = [
    snapshots(["volumesnapshotclasses"], looks),
    snapshots(["volumesnapshotcontents"], [...looks, "update", "patch"]),
    snapshots(["volumesnapshotcontents/status"], ["update", "patch"]),
];

/** Of the sidecar `csi-provisioner`, for claims that restore a snapshot. */
export const provisionerReads = [snapshots(["volumesnapshots", "volumesnapshotcontents"], ["get", "list"])];
