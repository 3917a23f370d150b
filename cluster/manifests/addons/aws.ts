import type { Manifest } from "../../manifest";
import type { Cluster } from "../../model";
import { cloudController } from "./cloud-controller";
import { csiDriver } from "./csi-driver";
import { nodeConfig } from "./kube-proxy";

/** Its name in Kubernetes. */
export const awsVolumeDriver = "ebs.csi.aws.com";

/** CSI driver for EBS: encrypted volumes with the cluster's tag, of type gp3 unless the claim's class sets another. */
export function awsCsiDriver(
    cluster: Cluster,
    {
        region,
        kmsKeyId,
        volumeSnapshots = false,
    }: {
        readonly region: string;
        /** Goes into the class as it is: it may become known only later. */
        readonly kmsKeyId?: unknown;
        readonly volumeSnapshots?: boolean;
    },
): Manifest[] {
    const driver = awsVolumeDriver;
    return csiDriver(cluster, {
        name: "ebs-csi",
        driver,
        image: cluster.images.awsCsiDriver,
        program: "/bin/aws-ebs-csi-driver",
        // Combines concurrent requests. Without it, a volume whose class sets blockAttachUntilInitialized crashes the
        // driver.
        controllerArgs: ["controller", `--k8s-tag-cluster-id=${cluster.name}`, "--batching=true"],
        controllerEnv: [{ name: "AWS_REGION", value: region }],
        nodeArgs: ["node", `--csi-mount-point-prefix=/var/lib/kubelet/plugins/kubernetes.io/csi/${driver}/`],
        nodeRules,
        spec: { attachRequired: true, podInfoOnMount: false, fsGroupPolicy: "File" },
        storageClass: {
            name: "gp3",
            parameters: { type: "gp3", encrypted: "true", ...(kmsKeyId !== undefined && { kmsKeyId }) },
        },
        ...(volumeSnapshots && { snapshotClass: "ebs" }),
    });
}

// Reads its own node. To remove a taint from it (ebs.csi.aws.com/agent-not-ready, which nothing here sets), it would
// need permission to change every Node, on every worker. It works without.
const nodeRules = [
    { apiGroups: [""], resources: ["nodes"], verbs: ["get", "list", "watch"] },
    { apiGroups: ["storage.k8s.io"], resources: ["csinodes"], verbs: ["get"] },
    { apiGroups: ["storage.k8s.io"], resources: ["volumeattachments"], verbs: ["get", "list", "watch"] },
];

const configPath = "/etc/kubernetes/cloud";

/** cloud-controller-manager of AWS. Its permissions in AWS are those of the controllers' instances. */
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

/** It identifies its cluster's resources by the tag `kubernetes.io/cluster/<name>`. */
function cloudConfig({ name, network }: Cluster, region: string): string {
    return `[Global]
Region = ${region}
KubernetesClusterID = ${name}
NodeIPFamilies = ipv4
${network.podCidr6 ? "NodeIPFamilies = ipv6\n" : ""}`;
}
