import { autoscalerGroupTags } from "../../../cluster/manifests/addons/cluster-autoscaler";
import { instanceReads } from "../machines/instance-types";
import { clusterTag, ownTag } from "../tags";
import { type Allowance, arnsIn, throughService } from "./policy";

/**
 * Permissions of the EBS CSI driver: read, create volumes with the cluster's tag, and change, attach and delete tagged
 * ones that the stack did not create, unlike etcd's.
 *
 * Source: the policy in aws-ebs-csi-driver's documentation.
 */
export function csiDriverPermissions({ cluster, region }: { cluster: string; region: string }): Allowance[] {
    const ec2 = arnsIn("ec2", region);
    const volumes = [ec2("volume/*")];
    const isOfCluster = { [`aws:ResourceTag/${clusterTag(cluster)}`]: "owned" };
    const isItsOwn = { StringEquals: isOfCluster, Null: { [`aws:ResourceTag/${ownTag}`]: "true" } };
    const attaches = ["ec2:AttachVolume", "ec2:DetachVolume"];
    return [
        { actions: readActions },
        {
            actions: ["ec2:CreateVolume"],
            resources: volumes,
            condition: { StringEquals: { [`aws:RequestTag/${clusterTag(cluster)}`]: "owned" } },
        },
        // The driver queries the maximum iops of a type with a dry run that lacks the cluster's tag. The limit exceeds
        // that of any volume, so this creates nothing.
        {
            actions: ["ec2:CreateVolume"],
            resources: volumes,
            condition: {
                StringEquals: { "aws:RequestTag/CSIVolumeName": "IopsLimitDryRun" },
                NumericGreaterThan: { "ec2:VolumeIops": "1000000" },
            },
        },
        {
            actions: ["ec2:CreateTags"],
            resources: volumes,
            condition: { StringEquals: { "ec2:CreateAction": "CreateVolume" } },
        },
        { actions: [...attaches, "ec2:DeleteVolume", "ec2:ModifyVolume"], resources: volumes, condition: isItsOwn },
        { actions: attaches, resources: [ec2("instance/*")], condition: { StringEquals: isOfCluster } },
    ];
}

/**
 * What snapshots add: of volumes with the cluster's tag, which the snapshots get, too. Only those can be restored and
 * deleted.
 *
 * Source: the same policy.
 */
export function volumeSnapshotPermissions({ cluster, region }: { cluster: string; region: string }): Allowance[] {
    const ec2 = arnsIn("ec2", region);
    const snapshots = [ec2("snapshot/*")];
    const tag = clusterTag(cluster);
    const isOfCluster = { StringEquals: { [`aws:ResourceTag/${tag}`]: "owned" } };
    return [
        { actions: ["ec2:DescribeSnapshots"] },
        {
            actions: ["ec2:CreateSnapshot"],
            resources: [ec2("volume/*")],
            condition: { ...isOfCluster, Null: { [`aws:ResourceTag/${ownTag}`]: "true" } },
        },
        {
            actions: ["ec2:CreateSnapshot"],
            resources: snapshots,
            condition: { StringEquals: { [`aws:RequestTag/${tag}`]: "owned" } },
        },
        {
            actions: ["ec2:CreateTags"],
            resources: snapshots,
            condition: { StringEquals: { "ec2:CreateAction": "CreateSnapshot" } },
        },
        { actions: ["ec2:CreateVolume", "ec2:DeleteSnapshot"], resources: snapshots, condition: isOfCluster },
    ];
}

const readActions = [
    "ec2:DescribeAvailabilityZones",
    "ec2:DescribeInstanceTypes",
    "ec2:DescribeInstances",
    "ec2:DescribeTags",
    "ec2:DescribeVolumeStatus",
    "ec2:DescribeVolumes",
    "ec2:DescribeVolumesModifications",
];

/**
 * Permissions to create and attach volumes that a customer-managed key encrypts, which EC2 needs from its caller.
 *
 * Source: EBS' documentation of encryption, aws-ebs-csi-driver's documentation.
 */
export function volumeKeyPermissions(key: string, region: string): Allowance[] {
    const { StringEquals } = throughService("ec2", region);
    return [
        {
            actions: ["kms:Decrypt", "kms:DescribeKey", "kms:GenerateDataKeyWithoutPlaintext", "kms:ReEncrypt*"],
            resources: [key],
            condition: { StringEquals: StringEquals! },
        },
        {
            actions: ["kms:CreateGrant"],
            resources: [key],
            condition: { StringEquals: StringEquals!, Bool: { "kms:GrantIsForAWSResource": "true" } },
        },
    ];
}

/** Permissions to repair machines: read, restart instances of the cluster, and replace those of its groups. */
export function repairerPermissions({ cluster, region }: { cluster: string; region: string }): Allowance[] {
    const condition = { StringEquals: { [`aws:ResourceTag/${clusterTag(cluster)}`]: "owned" } };
    return [
        ...instanceReads,
        { actions: ["ec2:RebootInstances"], resources: [arnsIn("ec2", region)("instance/*")], condition },
        {
            actions: ["autoscaling:TerminateInstanceInAutoScalingGroup"],
            resources: [arnsIn("autoscaling", region)("autoScalingGroup:*:autoScalingGroupName/*")],
            condition,
        },
    ];
}

/**
 * Permissions of cluster-autoscaler: read, and change the size of the groups whose pools have `min` and `max`.
 *
 * Source: cluster-autoscaler's documentation of AWS.
 */
export function autoscalerPermissions({ cluster, region }: { cluster: string; region: string }): Allowance[] {
    const tags = autoscalerGroupTags(cluster).map(([key, value]) => [`aws:ResourceTag/${key}`, value]);
    return [
        { actions: autoscalerReads },
        {
            actions: ["autoscaling:SetDesiredCapacity", "autoscaling:TerminateInstanceInAutoScalingGroup"],
            resources: [arnsIn("autoscaling", region)("autoScalingGroup:*:autoScalingGroupName/*")],
            condition: { StringEquals: Object.fromEntries(tags) },
        },
    ];
}

const autoscalerReads = [
    "autoscaling:DescribeAutoScalingGroups",
    "autoscaling:DescribeAutoScalingInstances",
    "autoscaling:DescribeLaunchConfigurations",
    "autoscaling:DescribeScalingActivities",
    "autoscaling:DescribeTags",
    "ec2:DescribeImages",
    "ec2:DescribeInstanceTypes",
    "ec2:DescribeLaunchTemplateVersions",
    "ec2:GetInstanceTypesFromInstanceRequirements",
];
