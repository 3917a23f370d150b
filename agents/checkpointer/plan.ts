import type { KubeletCredentials } from "../../clients/kubernetes/kubelet-api";
import { type Check, isAbsolutePath, isText, isUrl, problemsOf, readPlanFile } from "../harness/plan";

/** What the checkpointer watches over on its controller: `plan.json`. It holds no secret. */
export interface CheckpointerPlan {
    /** URLs of the API, the node's own apiserver first. */
    readonly apiServers: readonly string[];
    /** The checkpointer itself, as a parent: `kube-system/checkpointer`. */
    readonly self: string;
    /**
     * All that copies are kept of: DaemonSets as `kube-system/<name>`. Copies of others are removed, and a copy of one of these
     * only on a node that leaves: this list, which the stack writes, says what runs on a controller, not what the API lacks.
     */
    readonly parents: readonly string[];
    /** Those of them that the checkpointer has to have a checkpoint of to be ready. */
    readonly expects: readonly string[];
    /** The label of Nodes that the control plane runs on. */
    readonly controllerLabel: string;
    /** Socket of the container runtime, which speaks CRI v1: `/run/containerd/containerd.sock`. */
    readonly runtimeSocket: string;
    readonly credentials: KubeletCredentials;
    readonly directories: CheckpointerDirectories;
    /** Port on 127.0.0.1 that answers the kubelet's probes. */
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
    /** Where the kubelet lays out the volumes of its pods: `/var/lib/kubelet/pods`. */
    readonly kubeletPods: string;
}

/** Seconds for which something must be seen without a break before the checkpointer acts on it. */
export interface Timings {
    /** A parent's pod does not run, while the API is up and may bring it. */
    readonly absent: number;
    /** A parent's pod does not run, and the API is down. */
    readonly absentWithoutApi: number;
    /** The same of a pod that could do nothing without the API: after a boot, its start would only slow that of the API. */
    readonly absentInVain: number;
    /** A parent's pod runs and does not serve. */
    readonly unserved: number;
    /** A parent's pod serves, while a copy stands in for it. */
    readonly served: number;
    /** The same after the pod ran without serving: it may be one that crashes again and again. */
    readonly servedAfterFailure: number;
    /** The plan does not name a parent. */
    readonly gone: number;
    /** A pod is Ready, and there is no checkpoint of its parent. */
    readonly settleFirst: number;
    /** A pod is Ready, and would replace a good checkpoint. */
    readonly settle: number;
    /** The same of a pod whose containers have crashed before. */
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

/** On a pod of a parent that the plan names: keep a copy of it that needs no API. */
export const checkpointAnnotation = "tradewind.dev/checkpoint";

/** The checkpointer itself, as a parent. */
export const checkpointerParent = "kube-system/checkpointer";

/** On a copy: its parent. */
export const copyAnnotation = "tradewind.dev/checkpoint-of";

/** On a copy: which of its parent's checkpoints it is. */
export const generationAnnotation = "tradewind.dev/checkpoint-generation";

/** On a Node: what runs from where. */
export const statusAnnotation = "tradewind.dev/checkpoints";

/** In a checkpoint that may run beside its parent: the machine starts it with the kubelet after every boot. */
export const bootMarker = "starts-at-boot";

/** A copy's file in the kubelet's directory. No namespace has a dot in its name. */
export function copyFileName(parent: string): string {
    return `checkpoint-${parent.replace("/", ".")}.json`;
}

export function readPlan(path: string): CheckpointerPlan {
    return readPlanFile<CheckpointerPlan>(path, planProblems);
}

/** What is wrong with a plan, each with its path. */
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
                `a number of seconds, by one of the names ${Object.keys(defaultTimings).join(", ")}`,
                seconds,
            ],
        ),
    ];
    return problemsOf(checks);
}

/** The only namespace whose pods get copies: pods of others are of people who may be trusted with less than a controller. */
export const namespace = "kube-system";

/** Whether it is `kube-system/<name>` of a DaemonSet: a path of the disk and of the API's is made of it. */
export function isParent(value: unknown): value is string {
    return (
        typeof value === "string" && value.startsWith(`${namespace}/`) && isSubdomain(value.slice(namespace.length + 1))
    );
}

/** Whether it is what Kubernetes calls a DNS subdomain (RFC 1123), as names of objects are. */
export function isSubdomain(name: string): boolean {
    return name.length <= 253 && name.split(".").every((label) => /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(label));
}
