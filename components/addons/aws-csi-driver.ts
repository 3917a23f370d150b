import type { Manifest } from "../cluster/manifest";
import type { Cluster } from "../cluster/model";
import { csiDriver } from "./csi-driver";

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
