import { type Manifest, priorities } from "../../manifest";
import type { Cluster } from "../../model";
import { ports } from "../../network/ports";
import { disruptionBudget } from "../objects";
import { beforeCloudController, confined, lastWords, unprivilegedId } from "../pod";
import { serviceAccount } from "../rbac";

const labels = { "k8s-app": "kube-dns" };
const metadata = { name: "coredns", namespace: "kube-system", labels };

/** Cluster DNS: CoreDNS behind the well-known `kube-dns` service. */
export function coredns(cluster: Cluster): Manifest[] {
    return [
        ...serviceAccount("coredns", rules),
        config(cluster),
        deployment(cluster),
        service(cluster),
        disruptionBudget("coredns", { maxUnavailable: 1 }, "kube-dns", labels),
    ];
}

// Source: CoreDNS' documentation of the Kubernetes plugin.
const rules = [
    { apiGroups: [""], resources: ["endpoints", "services", "pods", "namespaces"], verbs: ["list", "watch"] },
    { apiGroups: ["discovery.k8s.io"], resources: ["endpointslices"], verbs: ["list", "watch"] },
];

function config({ network }: Cluster): Manifest {
    // Cluster names are in memory anyway, and a negative answer for a Service about to be created would be cached for
    // 30 s. Same as kubeadm.
    const corefile = `.:${ports.dns} {
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
    forward . /etc/resolv.conf {
        max_concurrent 1000
    }
    cache 30 {
        disable success ${network.clusterDomain}
        disable denial ${network.clusterDomain}
    }
    loop
    reload
    loadbalance
}
`;
    return { apiVersion: "v1", kind: "ConfigMap", metadata, data: { Corefile: corefile } };
}

function deployment(cluster: Cluster): Manifest {
    const nodes =
        cluster.controllers.names.length + cluster.workerPools.reduce((sum, { nodes }) => sum + nodes.length, 0);
    return {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata,
        spec: {
            replicas: Math.min(2, nodes),
            strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
            selector: { matchLabels: labels },
            template: { metadata: { labels }, spec: podSpec(cluster) },
        },
    };
}

function podSpec(cluster: Cluster): object {
    return {
        serviceAccountName: "coredns",
        priorityClassName: priorities.control.name,
        dnsPolicy: "Default",
        tolerations: [
            { key: "node-role.kubernetes.io/control-plane", operator: "Exists", effect: "NoSchedule" },
            ...beforeCloudController(cluster),
        ],
        topologySpreadConstraints: [
            {
                maxSkew: 1,
                topologyKey: "kubernetes.io/hostname",
                whenUnsatisfiable: "ScheduleAnyway",
                labelSelector: { matchLabels: labels },
            },
        ],
        securityContext: { runAsNonRoot: true, runAsUser: unprivilegedId, seccompProfile: { type: "RuntimeDefault" } },
        containers: [
            {
                name: "coredns",
                image: cluster.images.coredns,
                ...lastWords,
                command: ["/coredns"],
                args: ["-conf", "/etc/coredns/Corefile"],
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
        volumes: [{ name: "config", configMap: { name: "coredns", items: [{ key: "Corefile", path: "Corefile" }] } }],
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
