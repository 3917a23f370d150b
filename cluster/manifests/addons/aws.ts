import type { Manifest } from "../../manifest";
import type { Cluster } from "../../model";
import { cloudController } from "./cloud-controller";
import { csiDriver } from "./csi-driver";
import { nodeConfig } from "./kube-proxy";

/** As Kubernetes knows it. */
export const awsVolumeDriver = "ebs.csi.aws.com";

/** EBS volumes: encrypted, of the type gp3 unless a claim's class says another, with the cluster's tag. */
export function awsCsiDriver(cluster: Cluster, { region }: { readonly region: string }): Manifest[] {
    const driver = awsVolumeDriver;
    return csiDriver(cluster, {
        name: "ebs-csi",
        driver,
        image: cluster.images.awsCsiDriver,
        program: "/bin/aws-ebs-csi-driver",
        // Volumes are asked for by many at a time: without it, one whose class says blockAttachUntilInitialized crashes it.
        controllerArgs: ["controller", `--k8s-tag-cluster-id=${cluster.name}`, "--batching=true"],
        controllerEnv: [{ name: "AWS_REGION", value: region }],
        nodeArgs: ["node", `--csi-mount-point-prefix=/var/lib/kubelet/plugins/kubernetes.io/csi/${driver}/`],
        nodeRules,
        spec: { attachRequired: true, podInfoOnMount: false, fsGroupPolicy: "File" },
        storageClass: { name: "gp3", parameters: { type: "gp3", encrypted: "true" } },
    });
}

// It looks at its own node. To take a taint off it (ebs.csi.aws.com/agent-not-ready, which nothing here puts there) it would
// have to be allowed to change every Node, from every worker. Without that right it goes on.
const nodeRules = [
    { apiGroups: [""], resources: ["nodes"], verbs: ["get", "list", "watch"] },
    { apiGroups: ["storage.k8s.io"], resources: ["csinodes"], verbs: ["get"] },
    { apiGroups: ["storage.k8s.io"], resources: ["volumeattachments"], verbs: ["get", "list", "watch"] },
];

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
