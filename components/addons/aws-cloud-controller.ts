import type { Manifest } from "../cluster/manifest";
import type { Cluster } from "../cluster/model";
import { cloudController } from "./cloud-controller";
import { nodeConfig } from "./node-config";

const configPath = "/etc/kubernetes/cloud";

/** cloud-controller-manager of AWS. What it may do in AWS are the rights of controllers' instances. */
export function awsCloudController(cluster: Cluster, { region }: { readonly region: string }): Manifest[] {
    const { configMap, volume } = nodeConfig("aws-cloud-controller", { "cloud.conf": cloudConfig(cluster, region) });
    const controller = cloudController(cluster, {
        image: cluster.images.awsCloudController,
        program: "/bin/aws-cloud-controller-manager",
        flags: { "cloud-provider": "aws", "cloud-config": `${configPath}/cloud.conf` },
        volumeMounts: [{ name: "config", mountPath: configPath, readOnly: true }],
        volumes: [volume],
    });
    return [configMap, ...controller];
}

/** The tag `kubernetes.io/cluster/<name>` is what it knows its own by. */
function cloudConfig({ name }: Cluster, region: string): string {
    return `[Global]
Region = ${region}
KubernetesClusterID = ${name}
NodeIPFamilies = ipv4
`;
}
