import type { Manifest } from "../cluster/manifest";
import type { Cluster } from "../cluster/model";
import type { EnvVar } from "../control-plane/pod";
import { csiController } from "./csi-controller";
import { csiNode } from "./csi-node";

/** What drivers of volumes have each for itself. */
export interface CsiDriver {
    /** Of its objects: `<name>-controller`, `<name>-node`. */
    readonly name: string;
    /** As Kubernetes knows it, `ebs.csi.aws.com`. */
    readonly driver: string;
    readonly image: string;
    readonly program: string;
    /** Of what makes and attaches volumes; the socket is told beside. */
    readonly controllerArgs: readonly string[];
    readonly controllerEnv?: readonly EnvVar[];
    /** Of what mounts them. */
    readonly nodeArgs: readonly string[];
    /** What it may ask of the API on each node. @default nothing: it has no account there */
    readonly nodeRules?: object[];
    /** Spec of its CSIDriver. */
    readonly spec: object;
    /** The class that claims get which name none. */
    readonly storageClass: { readonly name: string; readonly parameters: Readonly<Record<string, string>> };
}

/** Volumes of a cloud: a controller that makes and attaches them, and what mounts them on each node. */
export function csiDriver(cluster: Cluster, own: CsiDriver): Manifest[] {
    return [
        { apiVersion: "storage.k8s.io/v1", kind: "CSIDriver", metadata: { name: own.driver }, spec: own.spec },
        storageClass(own),
        ...csiController(cluster, own),
        ...csiNode(cluster, own),
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
        // In the zone of the pod that wants it.
        volumeBindingMode: "WaitForFirstConsumer",
    };
}
