import type { Manifest } from "../../manifest";
import type { Cluster } from "../../model";
import { ports } from "../../network/ports";
import { type Container, confined, type EnvVar, fieldEnv, lastWords, unprivilegedId } from "../pod";
import { proxyEnv } from "../proxy-env";
import { namespaceRole, serviceAccount } from "../rbac";
import { clusterController, localApi } from "./cloud-controller";
import { nodeDaemonSet } from "./kube-proxy";
import { provisionerReads, snapshotterRules, volumeSnapshots } from "./volume-snapshots";

/** What differs between CSI drivers. */
interface CsiDriver {
    /** Prefix of its objects' names: `<name>-controller`, `<name>-node`. */
    readonly name: string;
    /** Its name in Kubernetes, `ebs.csi.aws.com`. */
    readonly driver: string;
    readonly image: string;
    readonly program: string;
    /** Arguments of the controller plugin, without the socket. */
    readonly controllerArgs: readonly string[];
    readonly controllerEnv?: readonly EnvVar[];
    /** Arguments of the attacher, in addition to those on every cloud. @default none */
    readonly attacherArgs?: readonly string[];
    /** Arguments of the node plugin. */
    readonly nodeArgs: readonly string[];
    /** RBAC rules of the node plugin. @default none: it has no service account */
    readonly nodeRules?: object[];
    /** Spec of its CSIDriver. */
    readonly spec: object;
    /** The default storage class. */
    readonly storageClass: { readonly name: string; readonly parameters: Readonly<Record<string, unknown>> };
    /** Name of the default class of snapshots. @default no snapshots */
    readonly snapshotClass?: string;
}

/**
 * CSI driver of a cloud: a controller that creates and attaches volumes, and a plugin on each node that mounts them.
 */
export function csiDriver(cluster: Cluster, own: CsiDriver): Manifest[] {
    return [
        { apiVersion: "storage.k8s.io/v1", kind: "CSIDriver", metadata: { name: own.driver }, spec: own.spec },
        storageClass(own),
        ...csiController(cluster, own),
        ...csiNode(cluster, own),
        ...(own.snapshotClass ? volumeSnapshots(cluster, own.snapshotClass, own.driver) : []),
    ];
}

function storageClass({ driver, storageClass: { name, parameters } }: CsiDriver): Manifest {
    return {
        apiVersion: "storage.k8s.io/v1",
        kind: "StorageClass",
        metadata: { name, annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
        provisioner: driver,
        parameters,
        allowVolumeExpansion: true,
        reclaimPolicy: "Delete",
        // In the zone of the pod that uses it.
        volumeBindingMode: "WaitForFirstConsumer",
    };
}

const folder = "/csi";
const socket = `${folder}/csi.sock`;

/** Creates, attaches, resizes and deletes volumes: the driver and the Kubernetes sidecars that call it. */
function csiController(cluster: Cluster, own: CsiDriver): Manifest[] {
    const { images } = cluster;
    const name = `${own.name}-controller`;
    const asked = [`--csi-address=${socket}`, "--leader-election=true", "--timeout=60s"];
    const containers = [
        driver(cluster, own),
        sidecar("provisioner", images.csiProvisioner, [...asked, "--default-fstype=ext4", "--extra-create-metadata"]),
        sidecar("attacher", images.csiAttacher, [...asked, ...(own.attacherArgs ?? [])]),
        // Both clouds can resize volumes in use.
        sidecar("resizer", images.csiResizer, [...asked, "--handle-volume-inuse-error=false"]),
        ...(own.snapshotClass
            ? [sidecar("snapshotter", images.csiSnapshotter, [...asked, "--extra-create-metadata"])]
            : []),
        livenessProbe(images.csiLivenessProbe, ports.csiController),
    ];
    const volumes = [{ name: "socket", emptyDir: { medium: "Memory", sizeLimit: "1Mi" } }];
    return [
        ...serviceAccount(name, [...rules, ...(own.snapshotClass ? [...provisionerReads, ...snapshotterRules] : [])]),
        ...namespaceRole(name, leases),
        // The volume of the socket has no owner otherwise.
        ...clusterController(cluster, name, { containers, volumes }, { fsGroup: unprivilegedId }),
    ];
}

/** Sidecar that checks the driver through its socket in the volume `socket`. */
function livenessProbe(image: string, port: number): Container {
    return {
        name: "liveness-probe",
        image,
        ...lastWords,
        args: [`--csi-address=${socket}`, `--http-endpoint=127.0.0.1:${port}`],
        resources: { requests: { cpu: "5m", memory: "16Mi" } },
        securityContext: confined,
        volumeMounts: [{ name: "socket", mountPath: folder }],
    };
}

/** How the kubelet probes it. */
function askedBy(port: number): Pick<Container, "livenessProbe"> {
    return {
        livenessProbe: {
            httpGet: { host: "127.0.0.1", path: "/healthz", port },
            initialDelaySeconds: 20,
            periodSeconds: 10,
            timeoutSeconds: 5,
            failureThreshold: 5,
        },
    };
}

function driver(cluster: Cluster, { image, program, controllerArgs, controllerEnv = [] }: CsiDriver): Container {
    return {
        name: "driver",
        image,
        ...lastWords,
        command: [program, ...controllerArgs, `--endpoint=unix://${socket}`],
        env: [...controllerEnv, ...proxyEnv(cluster)],
        ...askedBy(ports.csiController),
        resources: { requests: { cpu: "10m", memory: "40Mi" } },
        securityContext: confined,
        volumeMounts: [{ name: "socket", mountPath: folder }],
    };
}

function sidecar(name: string, image: string, args: string[]): Container {
    return {
        name,
        image,
        ...lastWords,
        args,
        env: localApi as EnvVar[],
        resources: { requests: { cpu: "10m", memory: "32Mi" } },
        securityContext: confined,
        volumeMounts: [{ name: "socket", mountPath: folder }],
    };
}

const readVerbs = ["get", "list", "watch"];

// Source: the RBAC rules documented for each Kubernetes CSI sidecar; those for snapshots are in volume-snapshots.ts.
const rules = [
    { apiGroups: [""], resources: ["persistentvolumes"], verbs: [...readVerbs, "create", "patch", "delete"] },
    { apiGroups: [""], resources: ["persistentvolumeclaims"], verbs: [...readVerbs, "update"] },
    { apiGroups: [""], resources: ["persistentvolumeclaims/status"], verbs: ["patch"] },
    { apiGroups: [""], resources: ["events"], verbs: ["list", "watch", "create", "update", "patch"] },
    { apiGroups: [""], resources: ["nodes", "pods"], verbs: readVerbs },
    {
        apiGroups: ["storage.k8s.io"],
        resources: ["csinodes", "storageclasses", "volumeattributesclasses"],
        verbs: readVerbs,
    },
    { apiGroups: ["storage.k8s.io"], resources: ["volumeattachments"], verbs: [...readVerbs, "patch"] },
    { apiGroups: ["storage.k8s.io"], resources: ["volumeattachments/status"], verbs: ["patch"] },
];

/** Leader election of the sidecars. */
const leases = [
    {
        apiGroups: ["coordination.k8s.io"],
        resources: ["leases"],
        verbs: ["get", "list", "watch", "create", "update", "patch", "delete"],
    },
];

const kubelet = "/var/lib/kubelet";

/** Mounts volumes on each node. It uses the host's network to read the machine's id from the cloud's metadata. */
function csiNode(cluster: Cluster, own: CsiDriver): Manifest[] {
    const { images } = cluster;
    const name = `${own.name}-node`;
    const plugin = `${kubelet}/plugins/${own.driver}`;
    const daemonSet = nodeDaemonSet(name, {
        ...(own.nodeRules ? { serviceAccountName: name } : { automountServiceAccountToken: false }),
        enableServiceLinks: false,
        containers: [nodeDriver(own), registrar(images.csiNodeDriverRegistrar, plugin), probe(images.csiLivenessProbe)],
        volumes: [
            { name: "kubelet", hostPath: { path: kubelet, type: "Directory" } },
            { name: "socket", hostPath: { path: plugin, type: "DirectoryOrCreate" } },
            { name: "registration", hostPath: { path: `${kubelet}/plugins_registry`, type: "DirectoryOrCreate" } },
            { name: "devices", hostPath: { path: "/dev", type: "Directory" } },
        ],
    });
    return [...(own.nodeRules ? serviceAccount(name, own.nodeRules) : []), daemonSet];
}

function nodeDriver({ image, program, nodeArgs }: CsiDriver): Container {
    return {
        name: "driver",
        image,
        ...lastWords,
        command: [program, ...nodeArgs, "--endpoint=unix:///csi/csi.sock"],
        env: [fieldEnv("CSI_NODE_NAME", "spec.nodeName")],
        ...askedBy(ports.csiNode),
        resources: { requests: { cpu: "10m", memory: "40Mi" } },
        // It mounts for the host, which requires a privileged container.
        securityContext: { privileged: true },
        volumeMounts: [
            { name: "kubelet", mountPath: kubelet, mountPropagation: "Bidirectional" },
            { name: "socket", mountPath: "/csi" },
            { name: "devices", mountPath: "/dev" },
        ],
    };
}

/** Registers the driver with the kubelet. Runs as root, like the owner of its socket's folder. */
function registrar(image: string, plugin: string): Container {
    return {
        name: "node-driver-registrar",
        image,
        ...lastWords,
        args: ["--csi-address=/csi/csi.sock", `--kubelet-registration-path=${plugin}/csi.sock`],
        resources: { requests: { cpu: "5m", memory: "16Mi" } },
        securityContext: confined,
        volumeMounts: [
            { name: "socket", mountPath: "/csi" },
            { name: "registration", mountPath: "/registration" },
        ],
    };
}

function probe(image: string): Container {
    return livenessProbe(image, ports.csiNode);
}
