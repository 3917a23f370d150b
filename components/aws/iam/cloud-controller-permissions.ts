import { clusterTag, ownTag } from "../tags";
import { type Allowance, arnsIn } from "./policy";

export interface CloudControllerScope {
    readonly cluster: string;
    readonly region: string;
    readonly vpcId: string;
}

/**
 * Permissions of the cloud controller: read, create load balancers and security groups with the cluster's tag, change
 * tagged ones that the stack did not create, and open the nodes' groups to them.
 *
 * Source: the API calls of cloud-provider-aws. Its documentation allows them on all resources.
 */
export function cloudControllerPermissions({ cluster, region, vpcId }: CloudControllerScope): Allowance[] {
    const ec2 = arnsIn("ec2", region);
    const elb = arnsIn("elasticloadbalancing", region);
    const groups = [ec2("security-group/*")];
    const isAsked = { StringEquals: { [`aws:RequestTag/${clusterTag(cluster)}`]: "owned" } };
    const isOfCluster = { [`aws:ResourceTag/${clusterTag(cluster)}`]: "owned" };
    const isItsOwn = { StringEquals: isOfCluster, Null: { [`aws:ResourceTag/${ownTag}`]: "true" } };
    const balancers = [elb("loadbalancer/*"), elb("targetgroup/*"), elb("listener/*")];
    const createdWithTags = ["CreateListener", "CreateLoadBalancer", "CreateTargetGroup"];
    return [
        { actions: readActions },
        { actions: ["ec2:CreateSecurityGroup"], resources: [ec2(`vpc/${vpcId}`)] },
        { actions: ["ec2:CreateSecurityGroup"], resources: groups, condition: isAsked },
        {
            actions: ["ec2:CreateTags"],
            resources: groups,
            condition: { StringEquals: { "ec2:CreateAction": "CreateSecurityGroup" } },
        },
        { actions: opens, resources: groups, condition: { StringEquals: isOfCluster } },
        { actions: ["ec2:DeleteSecurityGroup"], resources: groups, condition: isItsOwn },
        {
            actions: ["elasticloadbalancing:CreateLoadBalancer", "elasticloadbalancing:CreateTargetGroup"],
            resources: balancers,
            condition: isAsked,
        },
        {
            actions: ["elasticloadbalancing:AddTags"],
            resources: balancers,
            condition: { StringEquals: { "elasticloadbalancing:CreateAction": createdWithTags } },
        },
        { actions: changes, resources: balancers, condition: isItsOwn },
    ];
}

/** None of these can be limited to a cluster. */
const readActions = [
    "ec2:DescribeAvailabilityZones",
    "ec2:DescribeInstanceTopology",
    "ec2:DescribeInstances",
    "ec2:DescribeRouteTables",
    "ec2:DescribeSecurityGroups",
    "ec2:DescribeSubnets",
    "elasticloadbalancing:DescribeListeners",
    "elasticloadbalancing:DescribeLoadBalancerAttributes",
    "elasticloadbalancing:DescribeLoadBalancerPolicies",
    "elasticloadbalancing:DescribeLoadBalancers",
    "elasticloadbalancing:DescribeTargetGroupAttributes",
    "elasticloadbalancing:DescribeTargetGroups",
    "elasticloadbalancing:DescribeTargetHealth",
];

const opens = ["ec2:AuthorizeSecurityGroupIngress", "ec2:RevokeSecurityGroupIngress"];

const changes = [
    "elasticloadbalancing:AddTags",
    "elasticloadbalancing:ApplySecurityGroupsToLoadBalancer",
    "elasticloadbalancing:AttachLoadBalancerToSubnets",
    "elasticloadbalancing:ConfigureHealthCheck",
    "elasticloadbalancing:CreateListener",
    "elasticloadbalancing:CreateLoadBalancerListeners",
    "elasticloadbalancing:CreateLoadBalancerPolicy",
    "elasticloadbalancing:DeleteListener",
    "elasticloadbalancing:DeleteLoadBalancer",
    "elasticloadbalancing:DeleteLoadBalancerListeners",
    "elasticloadbalancing:DeleteTargetGroup",
    "elasticloadbalancing:DeregisterInstancesFromLoadBalancer",
    "elasticloadbalancing:DeregisterTargets",
    "elasticloadbalancing:DetachLoadBalancerFromSubnets",
    "elasticloadbalancing:ModifyListener",
    "elasticloadbalancing:ModifyLoadBalancerAttributes",
    "elasticloadbalancing:ModifyTargetGroup",
    "elasticloadbalancing:ModifyTargetGroupAttributes",
    "elasticloadbalancing:RegisterInstancesWithLoadBalancer",
    "elasticloadbalancing:RegisterTargets",
    "elasticloadbalancing:SetLoadBalancerPoliciesForBackendServer",
    "elasticloadbalancing:SetLoadBalancerPoliciesOfListener",
];
