import * as v from "valibot";
import {
    absolutePath,
    httpsUrls,
    kubeletCredentials,
    list,
    object,
    port,
    positiveInteger,
    secondsByName,
    text,
    texts,
} from "../harness/plan";

/** Seconds for which something must be observed without interruption before the checkpointer acts on it. */
export interface Timings {
    /** A parent's pod does not run, and the API is up and may start it. */
    readonly absent: number;
    /** A parent's pod does not run, and the API is down. */
    readonly absentWithoutApi: number;
    /**
     * The same for a pod that is useless without the API: after a boot, starting it would only slow down the API's
     * start.
     */
    readonly absentInVain: number;
    /** Some container of a parent's pod does not run, its sandbox is ready, it does not serve, and the API is down. */
    readonly idle: number;
    /**
     * The same for a pod that must not run alongside its copy: longer than the kubelet's longest back-off between two
     * restarts of a container, 300 seconds (MaxContainerBackOff in pkg/kubelet/kubelet.go).
     */
    readonly idleAlone: number;
    /** A parent's pod runs but does not serve. */
    readonly unserved: number;
    /** A parent's pod serves while its copy is running. */
    readonly served: number;
    /** The same if the pod ran before without serving: it may be crash looping. */
    readonly servedAfterFailure: number;
    /** The plan does not name a parent. */
    readonly removed: number;
    /** A pod is Ready, and its parent has no checkpoint. */
    readonly settleFirst: number;
    /** A pod is Ready, and would replace a good checkpoint. */
    readonly settle: number;
    /** The same for a pod whose containers have crashed before. */
    readonly settleAfterCrash: number;
}

export const defaultTimings: Timings = {
    absent: 3,
    absentWithoutApi: 1,
    absentInVain: 15,
    idle: 60,
    idleAlone: 330,
    unserved: 60,
    served: 2,
    servedAfterFailure: 60,
    removed: 60,
    settleFirst: 2,
    settle: 20,
    settleAfterCrash: 600,
};

const auditLogFields = object({
    /** `/var/log/kubernetes/audit` */
    directory: absolutePath,
    /** Age at which files are removed, in days. @default - no limit */
    maxAgeDays: v.optional(positiveInteger),
    /** Bytes of all files together. @default - no limit */
    maxBytes: v.optional(positiveInteger),
});

/** The audit log of a controller's kube-apiserver: each of its pods leaves files. */
export type AuditLogPlan = v.InferOutput<typeof auditLogFields>;

/** The only namespace whose pods get copies: the owners of others may be trusted with less than a controller. */
export const namespace = "kube-system";

const planFields = object({
    /** URLs of the API, the node's own apiserver first. */
    apiServers: httpsUrls("a list of at least one https:// URL without a path"),
    /** The checkpointer itself, as a parent: `kube-system/checkpointer`. */
    self: v.custom<string>(isParent, "one of parents"),
    /**
     * Everything to keep copies of: DaemonSets as `kube-system/<name>`. Copies of others are removed; copies of these
     * only on a node being removed. This list, which the stack writes, decides what runs on a controller, not what is
     * missing from the API.
     */
    parents: v.custom<readonly string[]>(
        (parents) => Array.isArray(parents) && parents.every(isParent),
        `a list of ${namespace}/<name>`,
    ),
    /** Parents without whose checkpoint the checkpointer is not ready. */
    expects: texts("a list of some of parents"),
    /** Label of the Nodes that run the control plane. */
    controllerLabel: text("a label"),
    /** Socket of the container runtime (CRI v1): `/run/containerd/containerd.sock`. */
    runtimeSocket: absolutePath,
    credentials: kubeletCredentials,
    /** Absolute paths, the same on the host and in the agent's container. */
    directories: object({
        /** `/etc/kubernetes/checkpoints` */
        checkpoints: absolutePath,
        /** The kubelet's static pod directory: `/etc/kubernetes/manifests`. */
        staticPods: absolutePath,
        /** `/var/lib/tradewind/checkpointer` */
        state: absolutePath,
        /** Where the kubelet stores the volumes of its pods: `/var/lib/kubelet/pods`. */
        kubeletPods: absolutePath,
    }),
    /** Directories that parents write to, each accessible only to root and a group. @default none */
    hostDirectories: v.optional(list(object({ path: absolutePath, group: positiveInteger }))),
    auditLog: v.optional(auditLogFields),
    /** Port on 127.0.0.1 for the kubelet's probes. */
    healthPort: port,
    /** @default - `defaultTimings` */
    timings: v.optional(secondsByName(defaultTimings)),
});

/** The checkpointer's plan for its controller: `plan.json`. It contains no secrets. */
export type CheckpointerPlan = v.InferOutput<typeof planFields>;

export const planSchema = v.pipe(
    planFields,
    v.forward(
        v.partialCheck([["self"], ["parents"]], ({ self, parents }) => parents.includes(self), "one of parents"),
        ["self"],
    ),
    v.forward(
        v.partialCheck(
            [["expects"], ["parents"]],
            ({ expects, parents }) => expects.every((each) => parents.includes(each)),
            "a list of some of parents",
        ),
        ["expects"],
    ),
);

/** On a pod of a planned parent: keep a copy of it that needs no API. */
export const checkpointAnnotation = "tradewind.dev/checkpoint";

/** The checkpointer itself, as a parent. */
export const checkpointerParent = "kube-system/checkpointer";

/** On a copy: its parent. */
export const copyAnnotation = "tradewind.dev/checkpoint-of";

/** On a copy: the generation of the checkpoint. */
export const generationAnnotation = "tradewind.dev/checkpoint-generation";

/** On a Node: what runs from where. */
export const statusAnnotation = "tradewind.dev/checkpoints";

/** Seconds after which the checkpointer publishes an unchanged status again, so that a silent one is noticed. */
export const publishSeconds = 300;

/** On a Node: when the checkpointer last published its status. RFC 3339. */
export const statusTimeAnnotation = "tradewind.dev/checkpoints-reported";

/** Files of a checkpoint. Next to them are those of its volumes. */
export const checkpointFiles = { metadata: "checkpoint.json", manifest: "pod.json", sums: "sha256sums" } as const;

/** In a checkpoint that the machine starts with the kubelet at every boot. */
export const bootMarker = "starts-at-boot";

/** File name of a copy in the kubelet's directory. Namespaces contain no dots. */
export function copyFileName(parent: string): string {
    return `checkpoint-${parent.replace("/", ".")}.json`;
}

/** Whether it is `kube-system/<name>` of a DaemonSet: used in file paths and API paths. */
export function isParent(value: unknown): value is string {
    return (
        typeof value === "string" && value.startsWith(`${namespace}/`) && isSubdomain(value.slice(namespace.length + 1))
    );
}

/** Whether it is a DNS subdomain (RFC 1123), as Kubernetes requires of object names. */
export function isSubdomain(name: string): boolean {
    return name.length <= 253 && name.split(".").every((label) => /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(label));
}
