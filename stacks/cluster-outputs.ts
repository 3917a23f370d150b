import type * as pulumi from "@pulumi/pulumi";
import type { AwsCluster, DigitalOceanCluster, LocalCluster } from "../index";

/** What a stack gives back of its cluster. */
export function clusterOutputs(
    cluster: AwsCluster | DigitalOceanCluster | LocalCluster,
): Record<string, pulumi.Input<unknown>> {
    const { kubeconfig, apiUrl, ca, nodes, kubernetesVersion, certificateExpiry } = cluster;
    const ingressName = "ingressName" in cluster ? cluster.ingressName : undefined;
    return {
        ...{ kubeconfig, apiUrl, ca, nodes, kubernetesVersion, certificateExpiry },
        ...(ingressName && { ingressName }),
    };
}
