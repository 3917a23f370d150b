import type { StepName } from "./step-names";

/** What the bootstrap agent is to do on the first controller: `bootstrap.json`. It holds no secret. */
export interface BootstrapPlan {
    readonly clusterName: string;
    /** Name of this machine's Node. */
    readonly nodeName: string;
    /** The API as this machine's own clients reach it, through whichever generation serves: `https://127.0.0.1:6443`. */
    readonly apiServer: string;
    /** Field manager of the server-side apply. Pulumi adopts the objects under the same one. */
    readonly fieldManager: string;
    readonly directories: Directories;
    /** PEM files of a cluster administrator, relative to `directories.assets`. */
    readonly credentials: CredentialPaths;
    /** Exactly one of them is named `kube-apiserver`. */
    readonly temporary: readonly TemporaryComponent[];
    readonly selfHosted: readonly SelfHostedComponent[];
    /** File whose appearance has the host restart the kubelet: `/var/lib/tradewind/bootstrap/restart-kubelet`. */
    readonly kubeletRestart: string;
    /** Labels that make this Node a controller. A kubelet may not give them to itself. */
    readonly controllerLabels: Readonly<Record<string, string>>;
    /**
     * Drop-in of the kubelet's configuration that has the `providerID` of this machine.
     * @default - no cloud's controller runs in the cluster, and Nodes have none
     */
    readonly kubeletIdentity?: string;
    readonly tokens: {
        /** Hours from the moment of applying until a bootstrap token Secret without `expiration` expires. */
        readonly expiresAfterHours: number;
    };
    /** Written into the pivot record as they are, such as `{ kubernetes: "1.36.3" }`. */
    readonly versions: Readonly<Record<string, string>>;
    /** Seconds that a step may take. @default - `defaultTimeouts` */
    readonly timeouts?: Partial<Record<StepName, number>>;
    /**
     * Seconds that a resumed bootstrap gives the API to come back by itself before it starts the
     * temporary control plane again.
     * @default 5
     */
    readonly resumeGraceSeconds?: number;
    /**
     * Seconds without any answer from the API after which the temporary apiserver, being stopped, is
     * started again.
     * @default 10
     */
    readonly longestSilenceSeconds?: number;
    /** The cluster was there, and its control plane is gone: it gets back what it lacks, and keeps what it has. */
    readonly recovery?: Recovery;
}

export interface Recovery {
    /** Names this recovery: `20261121T053834`. */
    readonly id: string;
    /** What had the cluster's objects: `api`, `etcd`, or a `snapshot`, after which other controllers must join etcd again. */
    readonly from: string;
    /** The temporary control plane stays until the file `released` is in the state directory. */
    readonly isHeld: boolean;
    /** The Nodes that the cluster is made of. Others are removed unless their kubelets are alive. */
    readonly nodes: readonly string[];
    /** Machines come and go whose names the stack does not know: no Node is removed. @default false */
    readonly hasOtherNodes?: boolean;
}

/** Absolute paths, the same on the host and in the agent's container. */
export interface Directories {
    /** Holds `static/`, `secrets/` and `manifests/`: `/opt/tradewind/bootstrap`. */
    readonly assets: string;
    /** Where the temporary static pods find their secrets: `/etc/kubernetes/bootstrap-secrets`. */
    readonly secrets: string;
    /** The kubelet's static pod directory: `/etc/kubernetes/manifests`. */
    readonly staticPods: string;
    /** Journal, stage log and stamp: `/var/lib/tradewind/bootstrap`. */
    readonly state: string;
}

export interface CredentialPaths {
    readonly ca: string;
    readonly cert: string;
    readonly key: string;
}

/** Where one process answers for itself and for no other generation. */
export interface Process {
    readonly name: string;
    /** Loopback address that only this generation binds. */
    readonly address: string;
    readonly port: number;
    /** HTTPS path that answers 200 when the process serves: `/readyz`. */
    readonly probe: string;
}

/** A static pod that stands in until its self-hosted counterpart serves. */
export interface TemporaryComponent extends Process {
    /** Static pod manifest, relative to `directories.assets`. */
    readonly manifest: string;
}

export interface SelfHostedComponent extends Process {
    readonly kind: "DaemonSet";
    readonly namespace: string;
    /**
     * Plain HTTP on the same address that answers 200 once the generation's listener on the shared
     * port is up. Needed for kube-apiserver: after a power cut the pod's Ready in the API is stale.
     */
    readonly listener?: { readonly port: number; readonly path: string };
}

/** In the state directory: a recovery holds the temporary control plane. */
export const heldFile = "held";

/** In the state directory: it may go on. */
export const releasedFile = "released";

/** Manifests whose number is this or higher are add-ons: they are applied when the control plane serves. */
export const addonsOrder = 100;

/** On the pod template: the loopback address of its generation. */
export const addressAnnotation = "tradewind.dev/loopback-address";

/** Seconds. Pulling images is in the long ones. */
export const defaultTimeouts: Record<StepName, number> = {
    "verify-assets": 30,
    "find-state": 60,
    "install-secrets": 30,
    "start-temporary-apiserver": 30,
    "wait-for-api": 600,
    "start-temporary-controllers": 30,
    "apply-manifests": 300,
    "label-node": 300,
    "remove-stale-nodes": 300,
    hold: 30 * 86_400,
    "wait-for-self-hosted": 900,
    "apply-addons": 300,
    "stop-temporary-apiserver": 180,
    "stop-temporary-controllers": 180,
    "readmit-members": 60,
    "record-pivot": 60,
    "clean-up": 60,
};
