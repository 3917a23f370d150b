import { requireDuration } from "../../durations";
import { commandLine } from "../../flags/check";
import type { Manifest } from "../../manifest";
import type { Cluster } from "../../model";
import { ports } from "../../network/ports";
import { invalid, requireOneOf } from "../../validate";
import { type Container, confined, lastWords } from "../pod";
import { serviceAccount, systemRole } from "../rbac";
import { clusterController, localApi } from "./cloud-controller";

const name = "cluster-autoscaler";

/** The tags by which it knows the groups of instances that it may change. */
export function autoscalerGroupTags(cluster: string): [key: string, value: string][] {
    const domain = "k8s.io/cluster-autoscaler";
    return [
        [`${domain}/enabled`, "true"],
        [`${domain}/${cluster}`, "owned"],
    ];
}

interface Autoscaler {
    readonly region: string;
    /** How it decides. */
    readonly autoscalerFlags: Readonly<Record<string, string>>;
}

/** What makes and ends machines of AWS' groups as pods need them, between the least and the most of each. */
export function clusterAutoscaler(cluster: Cluster, { region, autoscalerFlags }: Autoscaler): Manifest[] {
    const keys = autoscalerGroupTags(cluster.name).map(([key]) => key);
    const flags = {
        ...autoscalerFlags,
        address: `127.0.0.1:${ports.clusterAutoscaler}`,
        "cloud-provider": "aws",
        "leader-elect": "true",
        "node-group-auto-discovery": `asg:tag=${keys.join(",")}`,
    };
    const container: Container = {
        name,
        image: cluster.images.clusterAutoscaler,
        ...lastWords,
        command: ["./cluster-autoscaler", ...commandLine(flags)],
        env: [...localApi, { name: "AWS_REGION", value: region }],
        livenessProbe: {
            httpGet: { host: "127.0.0.1", path: "/health-check", port: ports.clusterAutoscaler },
            initialDelaySeconds: 30,
            periodSeconds: 15,
            timeoutSeconds: 5,
            failureThreshold: 4,
        },
        resources: { requests: { cpu: "50m", memory: "128Mi" } },
        securityContext: confined,
    };
    return [
        ...serviceAccount(name, rules),
        ...systemRole(name, statusRules),
        ...clusterController(cluster, name, { containers: [container] }),
    ];
}

const looks = ["get", "list", "watch"];

// Source: the example of cluster-autoscaler's documentation of AWS, and what its simulation of the scheduler reads.
const rules = [
    { apiGroups: [""], resources: ["events"], verbs: ["create", "patch"] },
    { apiGroups: [""], resources: ["nodes"], verbs: [...looks, "update", "patch"] },
    { apiGroups: [""], resources: ["pods/eviction"], verbs: ["create"] },
    { apiGroups: [""], resources: ["pods/status"], verbs: ["update"] },
    {
        apiGroups: [""],
        resources: [
            "namespaces",
            "persistentvolumeclaims",
            "persistentvolumes",
            "pods",
            "replicationcontrollers",
            "services",
        ],
        verbs: looks,
    },
    { apiGroups: ["apps"], resources: ["daemonsets", "replicasets", "statefulsets"], verbs: looks },
    { apiGroups: ["batch"], resources: ["jobs"], verbs: looks },
    { apiGroups: ["policy"], resources: ["poddisruptionbudgets"], verbs: looks },
    { apiGroups: ["resource.k8s.io"], resources: ["deviceclasses", "resourceclaims", "resourceslices"], verbs: looks },
    {
        apiGroups: ["storage.k8s.io"],
        resources: ["csidrivers", "csinodes", "csistoragecapacities", "storageclasses", "volumeattachments"],
        verbs: looks,
    },
    { apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["create"] },
    { apiGroups: ["coordination.k8s.io"], resources: ["leases"], resourceNames: [name], verbs: ["get", "update"] },
];

/** It says how it is in a ConfigMap: `kubectl -n kube-system describe configmap cluster-autoscaler-status`. */
const statusRules = [
    { apiGroups: [""], resources: ["configmaps"], verbs: ["create"] },
    {
        apiGroups: [""],
        resources: ["configmaps"],
        resourceNames: [`${name}-status`],
        verbs: ["get", "update", "delete"],
    },
];

/** How cluster-autoscaler decides: the flags of the same names. */
export interface ClusterAutoscalerOptions {
    /**
     * Which of several pools grows, if pods would find room in each: the one of which the least is left over, the one in which most pods find room,
     * or any: `least-waste`, `most-pods` or `random`.
     * @default "least-waste"
     */
    expander?: string;
    /**
     * How much of a node's CPUs and memory pods request for it to be used enough, in percent: below that it may go. 1 to 100.
     * @default 50
     */
    scaleDownUtilizationThreshold?: number;
    /** For how long a node has to be little used before it goes: 1m to 24h. @default "10m" */
    scaleDownUnneededTime?: string;
    /** For how long none goes after one came: 1m to 24h. @default "10m" */
    scaleDownDelayAfterAdd?: string;
    /** How long it waits for the node of an instance that it asked for before it asks another pool: 1m to 1h. @default "15m" */
    maxNodeProvisionTime?: string;
    /** Whether pools whose nodes are alike, as one per zone, have the same number of them. @default false */
    balanceSimilarNodeGroups?: boolean;
    /** Whether a node stays on which a pod has local storage (`emptyDir`, `hostPath`). @default true */
    skipNodesWithLocalStorage?: boolean;
    /** Whether a node stays on which there is a pod of `kube-system` that is no DaemonSet's and has no budget. @default true */
    skipNodesWithSystemPods?: boolean;
}

/** Checks the options, and makes flags of them, with every default. Throws `<option> must be <legal>, got <value>`. */
export function autoscalerFlags(options: ClusterAutoscalerOptions, option: string): Record<string, string> {
    const { expander = "least-waste", scaleDownUtilizationThreshold: threshold = 50 } = options;
    const { scaleDownUnneededTime = "10m", scaleDownDelayAfterAdd = "10m", maxNodeProvisionTime = "15m" } = options;
    requireOneOf(`${option}.expander`, ["least-waste", "most-pods", "random"], expander);
    if (!(Number.isInteger(threshold) && threshold >= 1 && threshold <= 100)) {
        throw invalid(`${option}.scaleDownUtilizationThreshold`, "a whole number from 1 to 100", threshold);
    }
    const seconds = (name: string, value: string, most: string) =>
        `${requireDuration(`${option}.${name}`, value, "1m", most)}s`;
    return {
        "balance-similar-node-groups": String(options.balanceSimilarNodeGroups ?? false),
        expander,
        "max-node-provision-time": seconds("maxNodeProvisionTime", maxNodeProvisionTime, "1h"),
        "scale-down-delay-after-add": seconds("scaleDownDelayAfterAdd", scaleDownDelayAfterAdd, "24h"),
        "scale-down-unneeded-time": seconds("scaleDownUnneededTime", scaleDownUnneededTime, "24h"),
        "scale-down-utilization-threshold": String(threshold / 100),
        "skip-nodes-with-local-storage": String(options.skipNodesWithLocalStorage ?? true),
        "skip-nodes-with-system-pods": String(options.skipNodesWithSystemPods ?? true),
    };
}
