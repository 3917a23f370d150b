import type { MetricsServerCredentials } from "../../keys/credentials";
import { contentHash, type Manifest, without } from "../../manifest";
import type { Cluster } from "../../model";
import { onAnyController } from "../agent-workloads";
import { deployment, secret, systemNamespace } from "../objects";
import { asUser, confined, credentialsPath, fromSecret, lastWords, type PodSpec, unprivilegedId } from "../pod";
import { binding, clusterBinding, clusterRole, serviceAccount, subjects } from "../rbac";

const name = "metrics-server";
const labels = { "k8s-app": name };
const group = "metrics.k8s.io";
/** Of its pod, not of a node. */
const port = 10250;

/** Serves CPU and memory of nodes and pods, for `kubectl top` and HorizontalPodAutoscalers: docs/metrics.md. */
export function metricsServer(
    cluster: Cluster,
    { kubernetesCa, metricsServer: pair }: MetricsServerCredentials,
): Manifest[] {
    const credentials = { "ca.crt": kubernetesCa.cert, "tls.crt": pair.cert, "tls.key": pair.key };
    const itself = subjects.account(name);
    return [
        ...serviceAccount(name, rules),
        // The ConfigMap has the CA of kube-apiserver's client certificate, by which it recognizes it.
        binding(
            { name: `tradewind:${name}:authentication-reader`, namespace: systemNamespace },
            [itself],
            "extension-apiserver-authentication-reader",
        ),
        clusterBinding(`tradewind:${name}:auth-delegator`, "system:auth-delegator", itself),
        readers,
        secret(name, credentials),
        service,
        // One replica: HorizontalPodAutoscalers keep their size while there are no metrics.
        deployment(name, podSpec(cluster), {
            // Other CAs replace the pod.
            annotations: { "tradewind.dev/credentials": contentHash(credentials) },
            rollingUpdate: { maxUnavailable: 0, maxSurge: 1 },
        }),
        apiService(kubernetesCa.cert),
    ];
}

// Source: manifests/base/rbac.yaml of metrics-server. It lists only the metadata of pods and nodes.
const rules = [
    { apiGroups: [""], resources: ["nodes/metrics"], verbs: ["get"] },
    { apiGroups: [""], resources: ["pods", "nodes"], verbs: ["get", "list", "watch"] },
];

/** Clients that may view a namespace may see what its pods use. */
const readers: Manifest = {
    ...clusterRole(`tradewind:${name}:reader`, [
        { apiGroups: [group], resources: ["pods", "nodes"], verbs: ["get", "list", "watch"] },
    ]),
    metadata: {
        name: `tradewind:${name}:reader`,
        labels: Object.fromEntries(
            ["view", "edit", "admin"].map((role) => [`rbac.authorization.k8s.io/aggregate-to-${role}`, "true"]),
        ),
    },
};

const service: Manifest = {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name, namespace: systemNamespace, labels },
    spec: {
        selector: labels,
        ports: [{ name: "https", port: 443, protocol: "TCP", targetPort: port }],
    },
};

function podSpec(cluster: Cluster): PodSpec {
    const { images, certificates } = cluster;
    const file = (path: string) => `${credentialsPath}/${path}`;
    const { mount, volume } = fromSecret("credentials", name, credentialsPath);
    const probe = (path: string) => ({ httpGet: { path, port, scheme: "HTTPS" }, timeoutSeconds: 5 });
    return {
        // On a controller, so that workers have neither its key nor its token.
        ...without(onAnyController(cluster, name), "hostNetwork"),
        securityContext: asUser(unprivilegedId, unprivilegedId),
        containers: [
            {
                name,
                image: images.metricsServer,
                ...lastWords,
                command: [
                    `/${name}`,
                    `--secure-port=${port}`,
                    ...[`--tls-cert-file=${file("tls.crt")}`, `--tls-private-key-file=${file("tls.key")}`],
                    // As kube-apiserver does: other kubelets may have certificates that no CA issued.
                    certificates.kubeletServing === "verified"
                        ? `--kubelet-certificate-authority=${file("ca.crt")}`
                        : "--kubelet-insecure-tls",
                    "--kubelet-preferred-address-types=InternalIP,Hostname",
                    "--kubelet-use-node-status-port",
                    "--metric-resolution=15s",
                    "--profiling=false",
                ],
                resources: { requests: { cpu: "50m", memory: "64Mi" } },
                securityContext: confined,
                livenessProbe: { ...probe("/livez"), periodSeconds: 10, failureThreshold: 6 },
                // Ready once it has metrics.
                readinessProbe: { ...probe("/readyz"), periodSeconds: 5 },
                volumeMounts: [mount],
            },
        ],
        volumes: [volume],
    };
}

function apiService(ca: string): Manifest {
    return {
        apiVersion: "apiregistration.k8s.io/v1",
        kind: "APIService",
        metadata: { name: `v1beta1.${group}` },
        spec: {
            group,
            version: "v1beta1",
            groupPriorityMinimum: 100,
            versionPriority: 100,
            service: { name, namespace: systemNamespace, port: 443 },
            caBundle: Buffer.from(ca).toString("base64"),
        },
    };
}
