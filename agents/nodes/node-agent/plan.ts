import * as v from "valibot";
import {
    absolutePath,
    byName,
    flag,
    httpsUrls,
    kubeletCredentials,
    list,
    object,
    port,
    seconds,
    secondsByName,
    text,
    texts,
    url,
} from "../../harness/plan";

/** Seconds. */
export interface Limits {
    /** After which remaining pods are reported. They are never killed. */
    readonly drain: number;
    /** In which a started kubelet must make its node Ready, while the API answers. */
    readonly ready: number;
    /** The same while the API does not answer: the new kubelet may be at fault. */
    readonly silent: number;
    /** For which a node must be Ready without interruption. */
    readonly settle: number;
    /** In which a machine must go down for its reboot, and its node become Ready after it, while the API answers. */
    readonly reboot: number;
    /** From a reboot, or a postponed one, to the next. */
    readonly rest: number;
}

export const defaultLimits: Limits = { drain: 300, ready: 180, silent: 600, settle: 5, reboot: 600, rest: 3600 };

const source = object({
    /** Lower-case hex. */
    sha256: text("a SHA-256", /^[0-9a-f]{64}$/),
    /** They are written to a file that a shell reads. */
    urls: texts("a list of URLs without spaces", { least: 1, pattern: /^https?:\/\/[^\s"$`\\]+$/ }),
});

/** Source of a file: URLs are tried in order, and other content is rejected. */
export type Source = v.InferOutput<typeof source>;

const runtimeSource = object({
    /** An archive with its programs in `bin`. */
    containerd: source,
    /** The program. */
    runc: source,
});

/** Source of a container runtime. */
export type RuntimeSource = v.InferOutput<typeof runtimeSource>;

/** A kubelet that can be run. */
export interface Kubelet extends Source {
    /** Without the `v`. */
    readonly version: string;
    /** ID of its settings. */
    readonly settings: string;
}

const kubeletIdentity = v.pipe(
    object({
        /** Names of the trusted CAs, as in their certificates. */
        authorities: texts("a list of names", { least: 1 }),
        /** The one of them that issues kubelets' certificates. */
        issuer: text("one of identity.authorities"),
        /** Whether kubelets request a server certificate too. */
        asksForServer: flag,
        /** URL of the API for kubelets. */
        apiServer: url("https"),
        /** Other URLs for some kubelets, by node name. @default - none */
        otherApiServers: v.optional(byName(url("https"))),
        /** Directory of kubelets' certificates: an absolute path, the same on the host and in the agent's container. */
        directory: absolutePath,
    }),
    v.forward(
        v.partialCheck(
            [["authorities"], ["issuer"]],
            ({ authorities, issuer }) => authorities.includes(issuer),
            "one of identity.authorities",
        ),
        ["issuer"],
    ),
);

/** The CAs that kubelets trust, and the one that issues their certificates. */
export type KubeletIdentity = v.InferOutput<typeof kubeletIdentity>;

const waitingGroup = object({
    name: text(),
    /** Name of the hook. */
    hook: text(),
    region: text(),
    /** URL of the service: `https://autoscaling.eu-central-1.amazonaws.com`. */
    service: url("https"),
});

/** An Auto Scaling group of AWS with a lifecycle hook. */
export type WaitingGroup = v.InferOutput<typeof waitingGroup>;

const directories = object({
    /** Every kubelet that ran here, and `kubelet.env`, which names the one to run. */
    kubelets: absolutePath,
    /** CNI plugins: `bin`, archives, and `plugins.env`, which names the archive installed in `bin`. */
    cni: absolutePath,
    /** Container runtimes, each in its own directory, and `current`. @default - `containerRuntime` is not set */
    containerRuntime: v.optional(absolutePath),
    /** `/var/lib/tradewind/node-agent` */
    state: absolutePath,
});

/** Absolute paths, the same on the host and in the agent's container. */
export type NodeAgentDirectories = v.InferOutput<typeof directories>;

const planFields = object({
    /** Version without the `v`. */
    desired: text("one of kubelets"),
    /** Allowed kubelets, by version: the desired one, and those that a node's annotation may name. */
    kubelets: v.pipe(v.record(text("<major>.<minor>.<patch>", /^\d+\.\d+\.\d+$/), source, "an object"), v.readonly()),
    /** Settings of every kubelet that is started from now on. */
    settings: object({
        /** Changes with the contents. Used as a file name. */
        id: text("hexadecimal", /^[0-9a-f]+$/),
        /** KubeletConfiguration, as JSON. */
        configuration: text("a KubeletConfiguration"),
        /** Override the machine's own: `--v=2`. */
        flags: texts("a list of flags, each on one line", { pattern: /^--[^\n]+$/ }),
    }),
    /** Archive of the desired CNI plugins. */
    cniPlugins: source,
    /** Others that a node's annotation may name. @default - none */
    otherCniPlugins: v.optional(list(source)),
    /** The desired container runtime. @default - each node keeps its own */
    containerRuntime: v.optional(runtimeSource),
    /** Others that a node's annotation may name. @default - none */
    otherContainerRuntimes: v.optional(list(runtimeSource)),
    /** @default - the kubelet trusts the CA that its machine booted with, which issued its certificates */
    identity: v.optional(kubeletIdentity),
    /** Whether there are other nodes that can take a node's pods. */
    hasOtherNodes: flag,
    /** Whether the agent removes DaemonSet pods left by a shutdown: on a controller the checkpointer does. */
    removesEndedPods: flag,
    /** Whether the machine is rebooted when its OS requests it and it is its turn. @default false */
    rebootsOs: v.optional(flag),
    /**
     * URL of the EC2 metadata service with interruption notices: `http://169.254.169.254`.
     * @default - the machine is never taken away
     */
    noticesFrom: v.optional(url("http")),
    /** Group that waits for a release before it terminates the machine. @default - none */
    group: v.optional(waitingGroup),
    /** The etcd member on a controller, which must not lead during its reboot. @default - none */
    etcd: v.optional(
        object({
            /** Its URL for clients on this machine: `https://127.0.0.1:2379`. */
            endpoint: url("https"),
            /** Directory of its certificates. */
            pki: absolutePath,
        }),
    ),
    /** URLs of the API, the node's own apiserver first. */
    apiServers: httpsUrls("a list of at least one https:// URL without a path"),
    /** Seconds after which a load balancer closes an idle connection to the first of them. @default - never */
    apiIdleSeconds: v.optional(seconds),
    credentials: kubeletCredentials,
    directories,
    /** The kubelet's health URL: `http://127.0.0.1:10248/healthz`. */
    kubeletHealthz: v.custom<string>((url) => typeof url === "string" && URL.canParse(url), "a URL"),
    /** Port on 127.0.0.1 for the kubelet's probes. */
    healthPort: port,
    /** Users install the CNI: a node that only waits for it is as good as Ready. @default false */
    hasOwnCni: v.optional(flag),
    /** @default - `defaultLimits` */
    limits: v.optional(secondsByName(defaultLimits)),
});

/** The node-agent's plan for the nodes of a pool: `plan.json`. It contains no secrets. */
export type NodeAgentPlan = v.InferOutput<typeof planFields>;

export const planSchema = v.pipe(
    planFields,
    v.forward(
        v.partialCheck(
            [["desired"], ["kubelets"]],
            ({ desired, kubelets }) => Object.hasOwn(kubelets, desired),
            ({ input }) => `one of kubelets, ${Object.keys(input.kubelets).join(", ")}`,
        ),
        ["desired"],
    ),
    v.forward(
        v.partialCheck(
            [["containerRuntime"], ["directories", "containerRuntime"]],
            ({ containerRuntime, directories }) => !containerRuntime || directories.containerRuntime !== undefined,
            "an absolute path",
        ),
        ["directories", "containerRuntime"],
    ),
);

/**
 * Readiness gate of the agent's pod. A probe alone is not enough: a restarted kubelet considers existing containers
 * ready until it has probed them, and the rollout would move on to the next node.
 */
export const readyGate = "tradewind.dev/kubelet-as-desired";

/** On a Node: its desired kubelet version, instead of its pool's. */
export const versionAnnotation = "tradewind.dev/kubelet-version";

/** On a Node: its desired CNI plugins, instead of its pool's: the SHA-256 of their archive, or its beginning. */
export const cniPluginsAnnotation = "tradewind.dev/cni-plugins";

/** On a Node: its desired container runtime, instead of its pool's: 12 digits each of the two SHA-256. */
export const containerRuntimeAnnotation = "tradewind.dev/container-runtime";

/** On a Node: the agent cordoned it, and so may uncordon it. */
export const cordonAnnotation = "tradewind.dev/cordoned-by-node-agent";
