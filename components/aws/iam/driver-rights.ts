import { autoscalerGroupTags } from "../../../cluster/manifests/addons/cluster-autoscaler";
import { clusterTag, ownTag } from "../tags";
import { type Allowance, arnsIn } from "./policy";

/**
 * What the driver of EBS volumes may do: look, make volumes with the cluster's tag, and change, attach and delete those that
 * have it and that the stack did not make, such as etcd's.
 *
 * Source: the policy in aws-ebs-csi-driver's documentation, without snapshots, which the cluster does not take.
 */
export function csiDriverRights({ cluster, region }: { cluster: string; region: string }): Allowance[] {
    const ec2 = arnsIn("ec2", region);
    const volumes = [ec2("volume/*")];
    const isOfCluster = { [`aws:ResourceTag/${clusterTag(cluster)}`]: "owned" };
    const isItsOwn = { StringEquals: isOfCluster, Null: { [`aws:ResourceTag/${ownTag}`]: "true" } };
    const attaches = ["ec2:AttachVolume", "ec2:DetachVolume"];
    return [
        { actions: looks },
        {
            actions: ["ec2:CreateVolume"],
            resources: volumes,
            condition: { StringEquals: { [`aws:RequestTag/${clusterTag(cluster)}`]: "owned" } },
        },
        // As it asks for the most iops of a type, in a dry run without the cluster's tag. More than any volume has: nothing is made by it.
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

const looks = [
    "ec2:DescribeAvailabilityZones",
    "ec2:DescribeInstanceTypes",
    "ec2:DescribeInstances",
    "ec2:DescribeTags",
    "ec2:DescribeVolumeStatus",
    "ec2:DescribeVolumes",
    "ec2:DescribeVolumesModifications",
];

/**
 * What cluster-autoscaler may do: look, and change how many instances those groups have whose pools say between which
 * numbers.
 *
 * Source: cluster-autoscaler's documentation of AWS.
 */
export function autoscalerRights({ cluster, region }: { cluster: string; region: string }): Allowance[] {
    const tags = autoscalerGroupTags(cluster).map(([key, value]) => [`aws:ResourceTag/${key}`, value]);
    return [
        { actions: autoscalerLooks },
        {
            actions: ["autoscaling:SetDesiredCapacity", "autoscaling:TerminateInstanceInAutoScalingGroup"],
            resources: [arnsIn("autoscaling", region)("autoScalingGroup:*:autoScalingGroupName/*")],
            condition: { StringEquals: Object.fromEntries(tags) },
        },
    ];
}

const autoscalerLooks = [
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
