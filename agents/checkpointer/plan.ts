import type { KubeletCredentials } from "../../clients/kubernetes/kubelet-api";
import { type Check, isAbsolutePath, isText, isUrl, problemsOf, readPlanFile } from "../harness/plan";

/** The checkpointer's plan for its controller: `plan.json`. It contains no secrets. */
export interface CheckpointerPlan {
    /** URLs of the API, the node's own apiserver first. */
    readonly apiServers: readonly string[];
    /** The checkpointer itself, as a parent: `kube-system/checkpointer`. */
    readonly self: string;
    /**
     * Everything to keep copies of: DaemonSets as `kube-system/<name>`. Copies of others are removed; copies of these
     * only on a node being removed. This list, which the stack writes, decides what runs on a controller, not what is
     * missing from the API.
     */
    readonly parents: readonly string[];
    /** Parents without whose checkpoint the checkpointer is not ready. */
    readonly expects: readonly string[];
    /** Label of the Nodes that run the control plane. */
    readonly controllerLabel: string;
    /** Socket of the container runtime (CRI v1): `/run/containerd/containerd.sock`. */
    readonly runtimeSocket: string;
    readonly credentials: KubeletCredentials;
    readonly directories: CheckpointerDirectories;
    /** Port on 127.0.0.1 for the kubelet's probes. */
    readonly healthPort: number;
    /** @default - `defaultTimings` */
    readonly timings?: Partial<Timings>;
}

/** Absolute paths, the same on the host and in the agent's container. */
interface CheckpointerDirectories {
    /** `/etc/kubernetes/checkpoints` */
    readonly checkpoints: string;
    /** The kubelet's static pod directory: `/etc/kubernetes/manifests`. */
    readonly staticPods: string;
    /** `/var/lib/tradewind/checkpointer` */
    readonly state: string;
    /** Where the kubelet stores the volumes of its pods: `/var/lib/kubelet/pods`. */
    readonly kubeletPods: string;
}

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
    /** A parent's pod runs but does not serve. */
    readonly unserved: number;
    /** A parent's pod serves while its copy is running. */
    readonly served: number;
    /** The same if the pod ran before without serving: it may be crash looping. */
    readonly servedAfterFailure: number;
    /** The plan does not name a parent. */
    readonly gone: number;
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
    unserved: 60,
    served: 2,
    servedAfterFailure: 60,
    gone: 60,
    settleFirst: 2,
    settle: 20,
    settleAfterCrash: 600,
};

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

/** In a checkpoint that may run alongside its parent: the machine starts it with the kubelet after every boot. */
export const bootMarker = "starts-at-boot";

/** File name of a copy in the kubelet's directory. Namespaces contain no dots. */
export function copyFileName(parent: string): string {
    return `checkpoint-${parent.replace("/", ".")}.json`;
}

export function readPlan(path: string): CheckpointerPlan {
    return readPlanFile<CheckpointerPlan>(path, planProblems);
}

/** Everything wrong with a plan, each problem with its path. */
export function planProblems(plan: CheckpointerPlan): string[] {
    const { apiServers, self, parents, expects, controllerLabel, timings = {} } = plan;
    const { runtimeSocket, credentials, directories, healthPort } = plan;
    const isPlanned = (value: unknown) => isText(value) && parents?.includes(value);
    const isList = (value: unknown, isLegal: (item: unknown) => boolean) =>
        Array.isArray(value) && value.every(isLegal);
    const isUrls = isList(apiServers, (url) => isUrl("https", url)) && apiServers.length > 0;
    const isPort = Number.isInteger(healthPort) && healthPort > 0 && healthPort < 65536;
    const paths: [string, unknown][] = [
        ["runtimeSocket", runtimeSocket],
        ["credentials.ca", credentials?.ca],
        ["credentials.client", credentials?.client],
        ...(credentials?.authorities === undefined
            ? []
            : [["credentials.authorities", credentials.authorities] satisfies [string, unknown]]),
        ...(["checkpoints", "staticPods", "state", "kubeletPods"] as const).map((key): [string, unknown] => [
            `directories.${key}`,
            directories?.[key],
        ]),
    ];
    const checks: Check[] = [
        [isUrls, "apiServers", "a list of at least one https:// URL without a path", apiServers],
        [isParent(self) && isPlanned(self), "self", "one of parents", self],
        [isList(parents, isParent), "parents", "a list of kube-system/<name>", parents],
        [isList(expects, isPlanned), "expects", "a list of some of parents", expects],
        [isText(controllerLabel), "controllerLabel", "a label", controllerLabel],
        [isPort, "healthPort", "a port", healthPort],
        ...paths.map(([key, path]): Check => [isAbsolutePath(path), key, "an absolute path", path]),
        ...Object.entries(timings).map(
            ([key, seconds]): Check => [
                key in defaultTimings && typeof seconds === "number" && seconds >= 0,
                `timings.${key}`,
                `a number of seconds with one of the names ${Object.keys(defaultTimings).join(", ")}`,
                seconds,
            ],
        ),
    ];
    return problemsOf(checks);
}

/** The only namespace whose pods get copies: the owners of others may be trusted with less than a controller. */
export const namespace = "kube-system";

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
