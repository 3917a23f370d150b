import { commandLine } from "../cluster/arguments";
import type { Manifest } from "../cluster/manifest";
import type { Cluster } from "../cluster/model";
import { ports } from "../cluster/ports";
import { type Container, confined, lastWords } from "../control-plane/pod";
import { clusterController, localApi } from "./cluster-controller";
import { serviceAccount, systemRole } from "./service-account";

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
