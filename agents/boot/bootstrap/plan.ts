import { isIPv4 } from "node:net";
import * as v from "valibot";
import {
    absolutePath,
    byName,
    flag,
    list,
    object,
    port,
    positive,
    seconds,
    secondsByName,
    text,
    texts,
    url,
} from "../../harness/plan";

/** Seconds. The long ones include pulling images. */
export const defaultTimeouts: Record<StepName, number> = {
    "verify-assets": 30,
    "find-state": 60,
    "write-checkpoints": 30,
    "start-apiserver": 30,
    "wait-for-api": 600,
    "take-over": 60,
    "start-controllers": 30,
    "apply-manifests": 300,
    "label-node": 300,
    "remove-stale-nodes": 300,
    hold: 30 * 86_400,
    "wait-for-self-hosted": 900,
    "apply-addons": 300,
    "stop-copies": 180,
    "readmit-members": 60,
    "record-pivot": 60,
    "clean-up": 60,
};

const assetPath = v.custom<string>(
    (path) => typeof path === "string" && /^[^/]/.test(path) && !path.split("/").includes(".."),
    "a path below the assets",
);

const urlPath = text("a path that begins with /", /^\//);

const selfHostedComponent = object({
    kind: v.literal("DaemonSet", '"DaemonSet"'),
    namespace: text(),
    name: text("a name", /^[a-z0-9-]+$/),
    /** Value of its priority class. */
    priority: positive(),
    /** Loopback address that only this generation binds: it can be probed apart from others. */
    address: v.custom<string>(
        (address) => isIPv4(String(address)) && /^127\.(?!0\.0\.1$)/.test(String(address)),
        "a loopback address other than 127.0.0.1",
    ),
    port,
    /** HTTPS path that returns 200 when the process serves: `/readyz`. */
    probe: urlPath,
    /**
     * Plain HTTP on the same address that returns 200 once the generation's listener on the shared port is up. Needed
     * for kube-apiserver: after a power cut the pod's Ready condition in the API is stale.
     */
    listener: v.optional(object({ port, path: urlPath })),
});

export type SelfHostedComponent = v.InferOutput<typeof selfHostedComponent>;

const recovery = object({
    /** ID of this recovery: `20261121T053834`. */
    id: text(),
    /**
     * Source of the cluster's objects: `api`, `etcd`, or a `snapshot`, after which other controllers must rejoin etcd.
     */
    from: text(),
    /** Which snapshot, so that a command with another one begins again. @default - from no snapshot */
    snapshot: v.optional(text()),
    /** The recovery waits, with the control plane running from checkpoints, until the file `released` exists. */
    isHeld: flag,
    /** The cluster's Nodes. Others are removed unless their kubelets are alive. */
    nodes: texts(),
    /**
     * The cluster has machines that are not named in the stack (autoscaling), so no Node is removed. @default false
     */
    hasOtherNodes: v.optional(flag),
    /**
     * The other nodes that were or may be controllers, if this machine continues the cluster from a snapshot because all
     * controllers are lost. @default - this machine is a controller, and the others stay what they are
     */
    replaces: v.optional(texts()),
});

export type Recovery = v.InferOutput<typeof recovery>;

const oneApiserver = "a list with one kube-apiserver";

export const planSchema = object({
    clusterName: text(),
    /** Name of this machine's Node. */
    nodeName: text(),
    /** The API as this machine's own clients reach it, whichever generation serves: `https://127.0.0.1:6443`. */
    apiServer: url("https"),
    /** Field manager of the server-side apply. Pulumi adopts the objects under the same name. */
    fieldManager: text(),
    /** Absolute paths, the same on the host and in the agent's container. */
    directories: object({
        /** Contains `secrets/` and `manifests/`: `/opt/tradewind/bootstrap`. */
        assets: absolutePath,
        /** `/etc/kubernetes/checkpoints` */
        checkpoints: absolutePath,
        /** The kubelet's static pod directory: `/etc/kubernetes/manifests`. */
        staticPods: absolutePath,
        /** Journal, stage log and stamp: `/var/lib/tradewind/bootstrap`. */
        state: absolutePath,
    }),
    /** PEM files of a cluster administrator, relative to `directories.assets`. */
    credentials: object({ ca: assetPath, cert: assetPath, key: assetPath }),
    /** Exactly one of them is named `kube-apiserver`. Their objects are among the manifests. */
    selfHosted: v.pipe(
        list(selfHostedComponent, oneApiserver),
        v.check((list) => list.filter(({ name }) => name === "kube-apiserver").length === 1, oneApiserver),
    ),
    /** Creating this file makes the host restart the kubelet: `/var/lib/tradewind/bootstrap/restart-kubelet`. */
    kubeletRestart: absolutePath,
    /** Labels that make this Node a controller. A kubelet may not set them on itself. */
    controllerLabels: byName(v.string("text"), "a map of labels"),
    /**
     * Drop-in of the kubelet's configuration with this machine's `providerID`.
     * @default - no cloud controller runs in the cluster, and Nodes have no provider ID
     */
    kubeletIdentity: v.optional(absolutePath),
    tokens: object({
        /** Hours after which a bootstrap token Secret without `expiration` expires, counted from when it is applied. */
        expiresAfterHours: positive(),
    }),
    /** Copied into the pivot record, such as `{ kubernetes: "1.36.3" }`. */
    versions: byName(v.string("text"), "a map of versions"),
    /** Timeout of each step in seconds. @default - `defaultTimeouts` */
    timeouts: v.optional(secondsByName(defaultTimeouts, positive("a positive number of seconds"))),
    /**
     * Seconds that a resumed bootstrap gives the API to recover by itself before it starts the control plane from
     * checkpoints again.
     * @default 5
     */
    resumeGraceSeconds: v.optional(seconds),
    /** Set if an existing cluster lost its control plane: what is missing is restored, what exists is kept. */
    recovery: v.optional(recovery),
});

/** The bootstrap agent's plan for the first controller: `bootstrap.json`. It contains no secrets. */
export type BootstrapPlan = v.InferOutput<typeof planSchema>;

/** In the state directory: a recovery waits to be released. */
export const heldFile = "held";

/** In the state directory: the recovery may continue. */
export const releasedFile = "released";

/** Manifests with this number or higher are add-ons: they are applied once the control plane serves. */
export const addonsOrder = 100;

/** The steps of the bootstrap, in order, as named in the stage log and the journal. */
export const stepNames = [
    "verify-assets",
    "find-state",
    "write-checkpoints",
    "start-apiserver",
    "wait-for-api",
    "start-controllers",
    "apply-manifests",
    "label-node",
    "wait-for-self-hosted",
    "apply-addons",
    "stop-copies",
    "record-pivot",
    "clean-up",
] as const;

/** Additional steps of a recovery: one after `wait-for-api`, two after `label-node`, one before `record-pivot`. */
export const recoveryStepNames = ["take-over", "remove-stale-nodes", "hold", "readmit-members"] as const;

export type StepName = (typeof stepNames)[number] | (typeof recoveryStepNames)[number];
