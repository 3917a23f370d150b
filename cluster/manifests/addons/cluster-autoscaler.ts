import { requireDuration } from "../../durations";
import { commandLine } from "../../flags/check";
import type { Manifest } from "../../manifest";
import type { Cluster } from "../../model";
import { ports } from "../../network/ports";
import { invalid, requireOneOf } from "../../validate";
import { type Container, confined, lastWords } from "../pod";
import { proxyEnv } from "../proxy-env";
import { namespaceRole, serviceAccount } from "../rbac";
import { clusterController, localApi } from "./cloud-controller";

/** Name of its Deployment. */
export const autoscalerName = "cluster-autoscaler";
const name = autoscalerName;

/** Tags of the groups that it may change. */
export function autoscalerGroupTags(cluster: string): [key: string, value: string][] {
    const domain = "k8s.io/cluster-autoscaler";
    return [
        [`${domain}/enabled`, "true"],
        [`${domain}/${cluster}`, "owned"],
    ];
}

interface Autoscaler {
    readonly region: string;
    /** Its scaling flags. */
    readonly autoscalerFlags: Readonly<Record<string, string>>;
}

/** Adds and removes machines of AWS groups as pods need them, between the minimum and maximum of each group. */
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
        env: [...localApi, { name: "AWS_REGION", value: region }, ...proxyEnv(cluster)],
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
        ...namespaceRole(name, statusRules),
        ...clusterController(cluster, name, { containers: [container] }),
    ];
}

const readVerbs = ["get", "list", "watch"];

// Source: the example in cluster-autoscaler's documentation of AWS, and what its scheduler simulation reads.
const rules = [
    { apiGroups: [""], resources: ["events"], verbs: ["create", "patch"] },
    { apiGroups: [""], resources: ["nodes"], verbs: [...readVerbs, "update"] },
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
        verbs: readVerbs,
    },
    { apiGroups: ["apps"], resources: ["daemonsets", "replicasets", "statefulsets"], verbs: readVerbs },
    { apiGroups: ["batch"], resources: ["jobs"], verbs: readVerbs },
    { apiGroups: ["policy"], resources: ["poddisruptionbudgets"], verbs: readVerbs },
    {
        apiGroups: ["resource.k8s.io"],
        resources: ["deviceclasses", "resourceclaims", "resourceslices"],
        verbs: readVerbs,
    },
    {
        apiGroups: ["storage.k8s.io"],
        resources: ["csidrivers", "csinodes", "csistoragecapacities", "storageclasses", "volumeattachments"],
        verbs: readVerbs,
    },
    { apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["create"] },
    { apiGroups: ["coordination.k8s.io"], resources: ["leases"], resourceNames: [name], verbs: ["get", "update"] },
];

/** It reports its status in a ConfigMap: `kubectl -n kube-system describe configmap cluster-autoscaler-status`. */
const statusRules = [
    { apiGroups: [""], resources: ["configmaps"], verbs: ["create"] },
    {
        apiGroups: [""],
        resources: ["configmaps"],
        resourceNames: [`${name}-status`],
        verbs: ["get", "update", "delete"],
    },
];

/** Settings of cluster-autoscaler, named like its flags. */
export interface ClusterAutoscalerOptions {
    /**
     * Which pool to grow if several have room for the pods: the one with the least idle capacity afterwards
     * (`least-waste`), the one that fits the most pods (`most-pods`), or any (`random`).
     * @default "least-waste"
     */
    expander?: string;
    /**
     * A node may be removed if the requests of its pods are below this percentage of its CPU and memory: 1 to 100.
     * @default 50
     */
    scaleDownUtilizationThreshold?: number;
    /** How long a node must be underutilized before it is removed: 1m to 24h. @default "10m" */
    scaleDownUnneededTime?: string;
    /** How long no node is removed after one was added: 1m to 24h. @default "10m" */
    scaleDownDelayAfterAdd?: string;
    /** How long to wait for the node of a requested instance before another pool is tried: 1m to 1h. @default "15m" */
    maxNodeProvisionTime?: string;
    /** Whether similar pools, such as one per zone, are kept at the same size. @default false */
    balanceSimilarNodeGroups?: boolean;
    /** Whether nodes with pods that use local storage (`emptyDir`, `hostPath`) are kept. @default true */
    skipNodesWithLocalStorage?: boolean;
    /**
     * Whether nodes with `kube-system` pods that have no disruption budget are kept, apart from DaemonSet pods.
     * @default true
     */
    skipNodesWithSystemPods?: boolean;
}

/**
 * Validates the options and turns them into flags, with all defaults. Throws `<option> must be <legal> (got <value>)`.
 */
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
