import { metricsProxyName } from "../../../keys/certificates";
import { ports } from "../../../network/ports";

const account = "/var/run/secrets/kubernetes.io/serviceaccount";
const meta = (label: string) => `__meta_kubernetes_${label}`;
const setLabel = (target_label: string, source: string, replacement?: string) => ({
    source_labels: [meta(source)],
    ...(replacement && { replacement }),
    target_label,
});
const keep = (regex: string, ...labels: readonly string[]) => ({
    source_labels: labels.map(meta),
    regex,
    action: "keep",
});

const token = { credentials_file: `${account}/token` };
const clusterCa = { ca_file: `${account}/ca.crt` };
const nodes = [{ role: "node" }];
const inNamespace = (role: string, namespace: string) => [{ role, namespaces: { names: [namespace] } }];

const atProxy = {
    source_labels: ["__address__"],
    regex: "(.+):\\d+",
    replacement: `$1:${ports.metricsProxy}`,
    target_label: "__address__",
};
const byNode = setLabel("instance", "node_name");
const onControllers = [keep("true", "node_labelpresent_node_role_kubernetes_io_control_plane"), atProxy, byNode];
const onEveryNode = [atProxy, byNode];
/** One pod in the cluster, on any controller. */
const atKeeper = [
    keep("etcd-keeper;Running", "pod_label_k8s_app", "pod_phase"),
    setLabel("__address__", "pod_host_ip", `$1:${ports.metricsProxy}`),
    setLabel("instance", "pod_node_name"),
];

/**
 * What Prometheus scrapes, and how it finds that: `scrape_configs` of its configuration.
 *
 * @param verified - whether the cluster's CA issues the certificates of kubelets
 * @param kubeProxy - whether it runs
 */
export function scrapeJobs({ verified, kubeProxy }: { readonly verified: boolean; readonly kubeProxy: boolean }) {
    const kubelet = {
        scheme: "https",
        authorization: token,
        tls_config: verified ? clusterCa : { insecure_skip_verify: true },
        kubernetes_sd_configs: nodes,
        relabel_configs: [byNode],
    };
    const controllers = ["kube-scheduler", "kube-controller-manager", "etcd", "checkpointer"];
    return [
        ...controllers.map((name) => behindProxy(name, onControllers)),
        behindProxy("etcd-keeper", atKeeper, inNamespace("pod", "kube-system")),
        ...["node-agent", ...(kubeProxy ? ["kube-proxy"] : [])].map((name) => behindProxy(name, onEveryNode)),
        { ...behindProxy("metrics-proxy", onEveryNode), metrics_path: "/metrics" },
        {
            job_name: "kube-apiserver",
            scheme: "https",
            authorization: token,
            tls_config: { ...clusterCa, server_name: "kubernetes.default.svc" },
            kubernetes_sd_configs: inNamespace("endpointslice", "default"),
            relabel_configs: [keep("kubernetes", "endpointslice_label_kubernetes_io_service_name")],
        },
        { job_name: "kubelet", ...kubelet },
        // CPU and memory of nodes and pods.
        { job_name: "kubelet-resources", metrics_path: "/metrics/resource", ...kubelet },
        {
            job_name: "coredns",
            kubernetes_sd_configs: inNamespace("endpointslice", "kube-system"),
            relabel_configs: [
                keep("kube-dns;metrics", "endpointslice_label_kubernetes_io_service_name", "endpointslice_port_name"),
            ],
        },
    ];
}

/** Every node's metrics proxy has the same name in its certificate. */
function behindProxy(
    name: string,
    relabel_configs: readonly object[],
    kubernetes_sd_configs: readonly object[] = nodes,
) {
    return {
        job_name: name,
        metrics_path: `/metrics/${name}`,
        scheme: "https",
        authorization: token,
        tls_config: { ...clusterCa, server_name: metricsProxyName },
        kubernetes_sd_configs,
        relabel_configs,
    };
}
