import { autoscalerGroupTags } from "../addons/cluster-autoscaler";
import { type Allowance, arnsIn } from "./policy";

/**
 * What cluster-autoscaler may do: look, and change how many instances those groups have whose pools say between which
 * numbers.
 *
 * Source: cluster-autoscaler's documentation of AWS.
 */
export function autoscalerRights({ cluster, region }: { cluster: string; region: string }): Allowance[] {
    const tags = autoscalerGroupTags(cluster).map(([key, value]) => [`aws:ResourceTag/${key}`, value]);
    return [
        { actions: looks },
        {
            actions: ["autoscaling:SetDesiredCapacity", "autoscaling:TerminateInstanceInAutoScalingGroup"],
            resources: [arnsIn("autoscaling", region)("autoScalingGroup:*:autoScalingGroupName/*")],
            condition: { StringEquals: Object.fromEntries(tags) },
        },
    ];
}

const looks = [
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
