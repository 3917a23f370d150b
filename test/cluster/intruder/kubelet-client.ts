import { connectionOf } from "../../../clients/kubernetes/kubeconfig";
import { HttpClient } from "../../../simulator/plugins/kubernetes/http";
import type { TestCluster } from "../cluster";

/** The certificate and key of a node's kubelet, as root of its machine reads them: one text. */
export function kubeletPem(cluster: TestCluster, node: string): Promise<string> {
    return cluster.exec(node, "cat /var/lib/kubelet/pki/kubelet-client-current.pem");
}

/** An API client with a node's kubelet certificate. */
export async function kubeletClient(cluster: TestCluster, node: string): Promise<HttpClient> {
    const pem = Buffer.from(await kubeletPem(cluster, node));
    return new HttpClient({ ...connectionOf(cluster.kubeconfig, {}), certificate: pem, key: pem });
}
