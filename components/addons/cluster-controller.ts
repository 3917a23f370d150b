import type { Manifest } from "../cluster/manifest";
import type { Cluster } from "../cluster/model";
import { ports } from "../cluster/ports";
import { nobody } from "../cluster/users";
import type { PodSpec, Toleration } from "../control-plane/pod";
import { onAnyController } from "../control-plane/single-agent";

/** Where a controller of the cluster finds the API: the one of its own node, before and without service addresses. */
export const localApi = [
    { name: "KUBERNETES_SERVICE_HOST", value: "127.0.0.1" },
    { name: "KUBERNETES_SERVICE_PORT", value: String(ports.kubeApiserver) },
];

/**
 * A leader-elected controller with rights in the cloud: one that works on each of two controllers, where there are two.
 *
 * On the host's network, since a machine's metadata, by which it is somebody in the cloud, are out of pods' reach.
 */
export function clusterController(
    cluster: Cluster,
    name: string,
    spec: Pick<PodSpec, "containers" | "volumes">,
    securityContext: { readonly fsGroup?: number } = {},
): Manifest[] {
    const labels = { "k8s-app": name };
    const metadata = { name, namespace: "kube-system", labels };
    return [
        {
            apiVersion: "apps/v1",
            kind: "Deployment",
            metadata,
            spec: {
                replicas: Math.min(2, cluster.controllers.names.length),
                // Two would want the same port of a node.
                strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
                selector: { matchLabels: labels },
                template: { metadata: { labels }, spec: { ...placement(cluster, name, securityContext), ...spec } },
            },
        },
        {
            apiVersion: "policy/v1",
            kind: "PodDisruptionBudget",
            metadata,
            spec: { maxUnavailable: 1, selector: { matchLabels: labels } },
        },
    ];
}

function placement(cluster: Cluster, name: string, securityContext: object): Omit<PodSpec, "containers"> {
    const { tolerations, ...common } = onAnyController(cluster, name);
    return {
        ...common,
        // A node is not ready before its pod network is, which needs none of these.
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
        securityContext: {
            runAsNonRoot: true,
            runAsUser: nobody,
            runAsGroup: nobody,
            seccompProfile: { type: "RuntimeDefault" },
            ...securityContext,
        },
    };
}
