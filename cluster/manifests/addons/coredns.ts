import { commandLine, withExtra } from "../../flags/check";
import type { Taint } from "../../labels";
import { type Manifest, priorities } from "../../manifest";
import type { Cluster, WorkerPool } from "../../model";
import { ports } from "../../network/ports";
import { deployment, disruptionBudget, immutableConfigMap, inPodNetwork } from "../objects";
import { beforeCloudController, confined, lastWords, type PodSpec, underPressure, unprivilegedId } from "../pod";
import { serviceAccount } from "../rbac";

const labels = { "k8s-app": "kube-dns" };

/** Cluster DNS: CoreDNS behind the well-known `kube-dns` service. */
export function coredns(cluster: Cluster): Manifest[] {
    const settings = config(cluster);
    return [
        ...serviceAccount("coredns", rules),
        settings,
        inPodNetwork(
            cluster,
            deployment("coredns", podSpec(cluster, settings.metadata.name), {
                labels,
                replicas: replicas(cluster),
                rollingUpdate: { maxUnavailable: 0, maxSurge: 1 },
            }),
        ),
        inPodNetwork(cluster, service(cluster)),
        disruptionBudget("coredns", { maxUnavailable: 1 }, "kube-dns", labels),
    ];
}

// Source: CoreDNS' documentation of the Kubernetes plugin.
const rules = [
    { apiGroups: [""], resources: ["endpoints", "services", "pods", "namespaces"], verbs: ["list", "watch"] },
    { apiGroups: ["discovery.k8s.io"], resources: ["endpointslices"], verbs: ["list", "watch"] },
];

/** CoreDNS' configuration. */
export function corefile({ network, dns }: Pick<Cluster, "network" | "dns">): string {
    const { upstreams = ["/etc/resolv.conf"] } = dns;
    const forward = `forward . ${upstreams.join(" ")} {
        max_concurrent 1000
    }
    `;
    const isForwarding = upstreams.length > 0;
    // Cluster names are in memory anyway, and a negative answer for a Service about to be created would be cached for
    // 30 s. Same as kubeadm.
    const own = `.:${ports.dns} {
    errors
    health {
        lameduck 5s
    }
    ready
    kubernetes ${network.clusterDomain} in-addr.arpa ip6.arpa {
        pods insecure
        fallthrough in-addr.arpa ip6.arpa
        ttl 30
    }
    prometheus :9153
    ${isForwarding ? forward : ""}cache 30 {
        disable success ${network.clusterDomain}
        disable denial ${network.clusterDomain}
    }
    ${isForwarding ? "loop\n    " : ""}reload
    loadbalance
}
`;
    return dns.serverBlocks ? `${own}${dns.serverBlocks.trimEnd()}\n` : own;
}

function config(cluster: Cluster): Manifest {
    // Running pods keep their own, so that one that CoreDNS refuses fails in new pods only.
    return immutableConfigMap("coredns", { Corefile: corefile(cluster) });
}

const most = 2;

function replicas(cluster: Cluster): number {
    const pools = cluster.workerPools.filter(({ taints }) => cluster.dns.spread === "preferred" || !repelsPods(taints));
    return Math.min(most, cluster.controllers.names.length + nodesIn(pools));
}

/**
 * Where replicas run. No rule that a cluster cannot meet: a rollout would wait for ever.
 *
 * Each pod template is spread by itself, so that a new pod fits next to an old one in a cluster of two nodes.
 */
function spread(cluster: Cluster): PodSpec["topologySpreadConstraints"] {
    const { dns, controllers, workerPools, workersJoinLast } = cluster;
    const hostname = { maxSkew: 1, topologyKey: "kubernetes.io/hostname" };
    const labelSelector = { matchLabels: labels };
    if (dns.spread === "preferred") return [{ ...hostname, whenUnsatisfiable: "ScheduleAnyway", labelSelector }];
    const workers = workersJoinLast ? [] : workerPools.filter(({ taints }) => !repelsPods(taints));
    const isSure = controllers.names.length + nodesIn(workers) >= most;
    const templates = { labelSelector, matchLabelKeys: ["pod-template-hash"] };
    return [
        {
            ...hostname,
            whenUnsatisfiable: "DoNotSchedule",
            // Otherwise the first node to be ready gets both.
            ...(isSure && { minDomains: most }),
            nodeTaintsPolicy: "Honor",
            ...templates,
        },
        { maxSkew: 1, topologyKey: "topology.kubernetes.io/zone", whenUnsatisfiable: "ScheduleAnyway", ...templates },
    ];
}

function repelsPods(taints: readonly Taint[]): boolean {
    return taints.some(({ effect }) => effect !== "PreferNoSchedule");
}

function nodesIn(pools: readonly WorkerPool[]): number {
    return pools.reduce((sum, { nodes }) => sum + nodes.length, 0);
}

function podSpec(cluster: Cluster, configName: string): PodSpec {
    return {
        serviceAccountName: "coredns",
        priorityClassName: priorities.control.name,
        dnsPolicy: "Default",
        tolerations: [
            { key: "node-role.kubernetes.io/control-plane", operator: "Exists", effect: "NoSchedule" },
            ...underPressure,
            ...beforeCloudController(cluster),
        ],
        topologySpreadConstraints: spread(cluster),
        securityContext: { runAsNonRoot: true, runAsUser: unprivilegedId, seccompProfile: { type: "RuntimeDefault" } },
        containers: [
            {
                name: "coredns",
                image: cluster.images.coredns,
                ...lastWords,
                command: ["/coredns"],
                args: commandLine(withExtra("coredns", { conf: "/etc/coredns/Corefile" }, cluster.extraArgs.coredns)),
                ports: [
                    { name: "dns", containerPort: ports.dns, protocol: "UDP" },
                    { name: "dns-tcp", containerPort: ports.dns, protocol: "TCP" },
                    { name: "metrics", containerPort: 9153, protocol: "TCP" },
                ],
                resources: { requests: { cpu: "50m", memory: "32Mi" }, limits: { memory: "170Mi" } },
                livenessProbe: {
                    httpGet: { path: "/health", port: 8080 },
                    periodSeconds: 10,
                    failureThreshold: 5,
                    timeoutSeconds: 5,
                },
                readinessProbe: { httpGet: { path: "/ready", port: 8181 }, periodSeconds: 2, timeoutSeconds: 5 },
                securityContext: { ...confined, capabilities: { drop: ["ALL"], add: ["NET_BIND_SERVICE"] } },
                volumeMounts: [{ name: "config", mountPath: "/etc/coredns", readOnly: true }],
            },
        ],
        volumes: [{ name: "config", configMap: { name: configName, items: [{ key: "Corefile", path: "Corefile" }] } }],
    };
}

function service({ network, metrics }: Cluster): Manifest {
    return {
        apiVersion: "v1",
        kind: "Service",
        metadata: {
            name: "kube-dns",
            namespace: "kube-system",
            labels: { ...labels, "kubernetes.io/name": "CoreDNS" },
        },
        spec: {
            selector: labels,
            clusterIP: network.dnsServiceAddress,
            ...(network.serviceCidr6 && { ipFamilyPolicy: "PreferDualStack" }),
            ports: [
                { name: "dns", port: ports.dns, protocol: "UDP", targetPort: ports.dns },
                { name: "dns-tcp", port: ports.dns, protocol: "TCP", targetPort: ports.dns },
                ...(metrics ? [{ name: "metrics", port: 9153, protocol: "TCP", targetPort: 9153 }] : []),
            ],
        },
    };
}
