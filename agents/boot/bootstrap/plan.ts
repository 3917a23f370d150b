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

const assetPath = v.custom<string>(
    (path) => typeof path === "string" && /^[^/]/.test(path) && !path.split("/").includes(".."),
    "a path below the assets",
);

const urlPath = text("a path that begins with /", /^\//);

/** Where a single process can be probed, apart from other generations. */
const process = {
    name: text("a name", /^[a-z0-9-]+$/),
    /** Loopback address that only this generation binds. */
    address: v.custom<string>(
        (address) => isIPv4(String(address)) && /^127\.(?!0\.0\.1$)/.test(String(address)),
        "a loopback address other than 127.0.0.1",
    ),
    port,
    /** HTTPS path that returns 200 when the process serves: `/readyz`. */
    probe: urlPath,
};

const temporaryComponent = object({
    ...process,
    /** Static pod manifest, relative to `directories.assets`. */
    manifest: assetPath,
});

/** A static pod that runs until its self-hosted counterpart serves. */
export type TemporaryComponent = v.InferOutput<typeof temporaryComponent>;

const selfHostedComponent = object({
    ...process,
    kind: v.literal("DaemonSet", '"DaemonSet"'),
    namespace: text(),
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
    /** The temporary control plane stays until the file `released` exists in the state directory. */
    isHeld: flag,
    /** The cluster's Nodes. Others are removed unless their kubelets are alive. */
    nodes: texts(),
    /**
     * The cluster has machines that are not named in the stack (autoscaling), so no Node is removed. @default false
     */
    hasOtherNodes: v.optional(flag),
});

export type Recovery = v.InferOutput<typeof recovery>;

const oneApiserver = "a list with one kube-apiserver";
const someComponents = "a list of at least one component";

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
        /** Contains `static/`, `secrets/` and `manifests/`: `/opt/tradewind/bootstrap`. */
        assets: absolutePath,
        /** Where the temporary static pods mount their secrets from: `/etc/kubernetes/bootstrap-secrets`. */
        secrets: absolutePath,
        /** The kubelet's static pod directory: `/etc/kubernetes/manifests`. */
        staticPods: absolutePath,
        /** Journal, stage log and stamp: `/var/lib/tradewind/bootstrap`. */
        state: absolutePath,
    }),
    /** PEM files of a cluster administrator, relative to `directories.assets`. */
    credentials: object({ ca: assetPath, cert: assetPath, key: assetPath }),
    /** Exactly one of them is named `kube-apiserver`. */
    temporary: v.pipe(
        list(temporaryComponent, oneApiserver),
        v.check((list) => list.filter(({ name }) => name === "kube-apiserver").length === 1, oneApiserver),
    ),
    selfHosted: v.pipe(
        list(selfHostedComponent, someComponents),
        v.check((list) => list.length > 0, someComponents),
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
     * Seconds that a resumed bootstrap gives the API to recover by itself before it restarts the temporary control
     * plane.
     * @default 5
     */
    resumeGraceSeconds: v.optional(seconds),
    /**
     * Seconds without any answer from the API after which the temporary apiserver is started again while it is being
     * stopped.
     * @default 10
     */
    longestSilenceSeconds: v.optional(seconds),
    /** Set if an existing cluster lost its control plane: what is missing is restored, what exists is kept. */
    recovery: v.optional(recovery),
});

/** The bootstrap agent's plan for the first controller: `bootstrap.json`. It contains no secrets. */
export type BootstrapPlan = v.InferOutput<typeof planSchema>;

/** In the state directory: a recovery is holding the temporary control plane. */
export const heldFile = "held";

/** In the state directory: the recovery may continue. */
export const releasedFile = "released";

/** Manifests with this number or higher are add-ons: they are applied once the control plane serves. */
export const addonsOrder = 100;

/** The steps of the bootstrap, in order, as named in the stage log and the journal. */
export const stepNames = [
    "verify-assets",
    "find-state",
    "install-secrets",
    "start-temporary-apiserver",
    "wait-for-api",
    "start-temporary-controllers",
    "apply-manifests",
    "label-node",
    "wait-for-self-hosted",
    "apply-addons",
    "stop-temporary-apiserver",
    "stop-temporary-controllers",
    "record-pivot",
    "clean-up",
] as const;

/** Additional steps of a recovery: two after `label-node`, one before `record-pivot`. */
export const recoveryStepNames = ["remove-stale-nodes", "hold", "readmit-members"] as const;

export type StepName = (typeof stepNames)[number] | (typeof recoveryStepNames)[number];
