import { commandLine } from "../../flags/check";
import type { Manifest } from "../../manifest";
import type { Cluster } from "../../model";
import { podCidrs } from "../../network/network";
import { ports } from "../../network/ports";
import { onAnyController } from "../agent-workloads";
import { deployment, disruptionBudget, systemNamespace } from "../objects";
import {
    asUser,
    type Container,
    confined,
    type EnvVar,
    httpsProbe,
    lastWords,
    type PodSpec,
    type Toleration,
    unprivilegedId,
    type Volume,
} from "../pod";
import { proxyEnv } from "../proxy-env";
import { binding, clusterBinding, serviceAccount, subjects } from "../rbac";

export const cloudControllerName = "cloud-controller-manager";

interface CloudController {
    readonly image: string;
    /** Path in the image. */
    readonly program: string;
    /** Flags specific to its cloud. */
    readonly flags: Record<string, string>;
    readonly env?: EnvVar[];
    readonly volumeMounts?: Container["volumeMounts"];
    readonly volumes?: Volume[];
}

/**
 * Sets addresses, types and zones of nodes, deletes nodes whose machines no longer exist, and creates load balancers.
 */
export function cloudController(cluster: Cluster, own: CloudController): Manifest[] {
    const { image, program, flags, env = [], volumeMounts = [], volumes = [] } = own;
    const probe = (path: string, limits: object) => httpsProbe("127.0.0.1", ports.cloudControllerManager, path, limits);
    const itself = subjects.account(cloudControllerName);
    const container = {
        name: cloudControllerName,
        image,
        ...lastWords,
        command: [program, ...commandLine({ ...sharedFlags(cluster), ...flags })],
        env: [...localApi, ...env, ...proxyEnv(cluster)],
        resources: { requests: { cpu: "50m", memory: "64Mi" } },
        securityContext: confined,
        livenessProbe: probe("/healthz", { initialDelaySeconds: 20, periodSeconds: 10, failureThreshold: 8 }),
        readinessProbe: probe("/healthz", { periodSeconds: 5 }),
        volumeMounts,
    };
    return [
        ...serviceAccount(cloudControllerName, rules),
        // Without this it exits at start: the ConfigMap contains the CAs that its port trusts.
        binding(
            { name: `tradewind:${cloudControllerName}:authentication-reader`, namespace: systemNamespace },
            [itself],
            "extension-apiserver-authentication-reader",
        ),
        // Clients of its metrics are authorized.
        clusterBinding(`tradewind:${cloudControllerName}:auth-delegator`, "system:auth-delegator", itself),
        ...clusterController(cluster, cloudControllerName, { containers: [container], volumes }),
    ];
}

function sharedFlags({ name, network }: Cluster): Record<string, string> {
    return {
        "allocate-node-cidrs": "false",
        "bind-address": "127.0.0.1",
        "cluster-cidr": podCidrs(network),
        "cluster-name": name,
        "configure-cloud-routes": "false",
        // Excludes controllers that later versions may add.
        controllers: "cloud-node-controller,cloud-node-lifecycle-controller,service-lb-controller",
        "leader-elect": "true",
        profiling: "false",
        "secure-port": String(ports.cloudControllerManager),
    };
}

// Source: the API calls of k8s.io/cloud-provider's three controllers. They only use their own service account.
const rules = [
    { apiGroups: [""], resources: ["events"], verbs: ["create", "patch", "update"] },
    { apiGroups: [""], resources: ["nodes"], verbs: ["get", "list", "watch", "patch", "update", "delete"] },
    { apiGroups: [""], resources: ["nodes/status"], verbs: ["patch"] },
    { apiGroups: [""], resources: ["services"], verbs: ["get", "list", "watch", "patch", "update"] },
    { apiGroups: [""], resources: ["services/status"], verbs: ["patch", "update"] },
    { apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["create"] },
    {
        apiGroups: ["coordination.k8s.io"],
        resources: ["leases"],
        resourceNames: [cloudControllerName],
        verbs: ["get", "update"],
    },
];

/** API endpoint of a controller in the cluster: its own node's apiserver, which works before and without Services. */
export const localApi = [
    { name: "KUBERNETES_SERVICE_HOST", value: "127.0.0.1" },
    { name: "KUBERNETES_SERVICE_PORT", value: String(ports.kubeApiserver) },
];

/**
 * A leader-elected controller with permissions in the cloud, with a replica on each of two controllers, if there are
 * two.
 *
 * It uses the host's network, because pods cannot reach a machine's metadata, which contain its cloud credentials.
 */
export function clusterController(
    cluster: Cluster,
    name: string,
    spec: Pick<PodSpec, "containers" | "volumes">,
    securityContext: { readonly fsGroup?: number } = {},
): Manifest[] {
    return replicatedController(cluster, name, { ...placement(cluster, name, securityContext), ...spec });
}

/** A leader-elected controller with two replicas, if there are two controllers, one of which may be down. */
export function replicatedController(cluster: Cluster, name: string, spec: PodSpec): Manifest[] {
    return [
        deployment(name, spec, {
            replicas: Math.min(2, cluster.controllers.names.length),
            // On the host's network, a third one would use the port of another on its node.
            rollingUpdate: { maxUnavailable: 1, maxSurge: 0 },
        }),
        disruptionBudget(name, { maxUnavailable: 1 }, name, { "k8s-app": name }),
    ];
}

function placement(cluster: Cluster, name: string, securityContext: object): Omit<PodSpec, "containers"> {
    const { tolerations, ...common } = onAnyController(cluster, name);
    return {
        ...common,
        // A node is only ready once its pod network is, which needs none of these.
        tolerations: [
            ...(tolerations as Toleration[]),
            { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoSchedule" },
        ],
        affinity: {
            podAntiAffinity: {
                requiredDuringSchedulingIgnoredDuringExecution: [
                    { topologyKey: "kubernetes.io/hostname", labelSelector: { matchLabels: { "k8s-app": name } } },
                ],
            },
        },
        securityContext: { ...asUser(unprivilegedId), ...securityContext },
    };
}
