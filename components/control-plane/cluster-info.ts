import type { Manifest } from "../cluster/manifest";
import type { Cluster } from "../cluster/model";
import { ports } from "../cluster/ports";

/** What anyone may know of the cluster: its URL and CA. The bootstrap signer adds a signature per token. */
export function clusterInfo(cluster: Cluster, ca: string): Manifest {
    const kubeconfig = {
        apiVersion: "v1",
        kind: "Config",
        clusters: [
            {
                name: "",
                cluster: {
                    "certificate-authority-data": Buffer.from(ca).toString("base64"),
                    server: `https://${cluster.apiName}:${ports.kubeApiserver}`,
                },
            },
        ],
    };
    return {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "cluster-info", namespace: "kube-public" },
        data: { kubeconfig: JSON.stringify(kubeconfig) },
    };
}
