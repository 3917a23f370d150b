import { inRows, markdownTable } from "./markdown-table";

const describesNetwork = ["ec2:DescribeNetworkInterfaces", "ec2:DescribeSecurityGroups", "ec2:DescribeSubnets"];

/** With `kmsKeyId`: on the key, which EC2 uses for the caller. */
const usesKey = [
    ...["kms:CreateGrant", "kms:Decrypt", "kms:DescribeKey", "kms:GenerateDataKeyWithoutPlaintext"],
    "kms:ReEncrypt*",
];

/**
 * AWS calls of the user who runs Pulumi, by resource or function of `@pulumi/aws` used in components: to create, read, update and
 * delete it.
 *
 * Source: AWS' reference of actions for each service, and known calls of Pulumi's provider. None of this was run on AWS.
 */
export const awsOperator: Readonly<Record<string, readonly string[]>> = {
    getAvailabilityZones: ["ec2:DescribeAvailabilityZones"],
    // Answered by the provider itself.
    getDefaultTags: [],
    "autoscaling/getAmiIds": ["autoscaling:DescribeAutoScalingGroups"],
    "ebs/getDefaultKmsKey": ["ec2:GetEbsDefaultKmsKeyId"],
    "ec2/getAmi": ["ec2:DescribeImages"],
    "ec2/getInstance": ["ec2:DescribeInstances"],
    "ec2/getEips": ["ec2:DescribeAddresses"],
    "ec2/getInstanceTypeOfferings": ["ec2:DescribeInstanceTypeOfferings"],
    "ec2/getLaunchTemplate": ["ec2:DescribeLaunchTemplates", "ec2:DescribeLaunchTemplateVersions"],
    "ec2/getVpcs": ["ec2:DescribeVpcs"],
    "ec2/getVpcDhcpOptions": ["ec2:DescribeDhcpOptions"],
    "ec2/getVpc": ["ec2:DescribeVpcs", "ec2:DescribeVpcAttribute", "ec2:DescribeRouteTables"],
    "ec2/getSecurityGroup": ["ec2:DescribeSecurityGroups"],
    "ec2/getSubnet": ["ec2:DescribeSubnets"],
    "lb/getLbs": ["elasticloadbalancing:DescribeLoadBalancers", "elasticloadbalancing:DescribeTags"],
    "lb/getLoadBalancer": [
        ...["elasticloadbalancing:DescribeLoadBalancers", "elasticloadbalancing:DescribeLoadBalancerAttributes"],
    ],
    "lb/getTargetGroup": [
        ...["elasticloadbalancing:DescribeTargetGroups", "elasticloadbalancing:DescribeTargetGroupAttributes"],
    ],
    "route53/getRecords": ["route53:ListResourceRecordSets"],
    "s3/getBucket": ["s3:ListBucket", "s3:GetBucketLocation", "s3:GetBucketWebsite"],
    "servicequotas/getServiceQuota": ["servicequotas:GetServiceQuota", "servicequotas:GetAWSDefaultServiceQuota"],
    "route53/getZone": ["route53:ListHostedZones", "route53:GetHostedZone", "route53:ListTagsForResource"],
    "ec2/vpc": [
        ...["ec2:CreateVpc", "ec2:DeleteVpc", "ec2:DescribeVpcs", "ec2:DescribeVpcAttribute", "ec2:ModifyVpcAttribute"],
        ...["ec2:DescribeNetworkAcls", "ec2:DescribeRouteTables", "ec2:DescribeSecurityGroups"],
    ],
    "ec2/subnet": [
        ...["ec2:CreateSubnet", "ec2:DeleteSubnet", "ec2:DescribeSubnets", "ec2:ModifySubnetAttribute"],
        "ec2:DescribeNetworkInterfaces",
    ],
    "ec2/internetGateway": [
        ...["ec2:CreateInternetGateway", "ec2:DeleteInternetGateway", "ec2:DescribeInternetGateways"],
        ...["ec2:AttachInternetGateway", "ec2:DetachInternetGateway"],
    ],
    "ec2/egressOnlyInternetGateway": [
        ...["ec2:CreateEgressOnlyInternetGateway", "ec2:DeleteEgressOnlyInternetGateway"],
        "ec2:DescribeEgressOnlyInternetGateways",
    ],
    "ec2/eip": [
        ...["ec2:AllocateAddress", "ec2:ReleaseAddress", "ec2:DisassociateAddress"],
        ...["ec2:DescribeAddresses", "ec2:DescribeAddressesAttribute"],
    ],
    "ec2/natGateway": ["ec2:CreateNatGateway", "ec2:DeleteNatGateway", "ec2:DescribeNatGateways"],
    "ec2/routeTable": [
        ...["ec2:CreateRouteTable", "ec2:DeleteRouteTable", "ec2:DescribeRouteTables"],
        ...["ec2:CreateRoute", "ec2:DeleteRoute", "ec2:ReplaceRoute", "ec2:DisassociateRouteTable"],
    ],
    "ec2/route": ["ec2:CreateRoute", "ec2:DeleteRoute", "ec2:ReplaceRoute", "ec2:DescribeRouteTables"],
    "ec2/routeTableAssociation": [
        ...["ec2:AssociateRouteTable", "ec2:DisassociateRouteTable", "ec2:ReplaceRouteTableAssociation"],
        "ec2:DescribeRouteTables",
    ],
    "ec2/vpcEndpoint": [
        ...["ec2:CreateVpcEndpoint", "ec2:DeleteVpcEndpoints", "ec2:ModifyVpcEndpoint", "ec2:DescribeVpcEndpoints"],
        ...["ec2:DescribePrefixLists", "ec2:DescribeNetworkInterfaces"],
    ],
    "ec2/securityGroup": [
        ...["ec2:CreateSecurityGroup", "ec2:DeleteSecurityGroup", "ec2:DescribeSecurityGroups"],
        ...["ec2:RevokeSecurityGroupEgress", "ec2:RevokeSecurityGroupIngress", "ec2:DescribeNetworkInterfaces"],
    ],
    "vpc/securityGroupIngressRule": [
        ...["ec2:AuthorizeSecurityGroupIngress", "ec2:RevokeSecurityGroupIngress"],
        ...["ec2:ModifySecurityGroupRules", "ec2:DescribeSecurityGroupRules"],
    ],
    "vpc/securityGroupEgressRule": [
        ...["ec2:AuthorizeSecurityGroupEgress", "ec2:RevokeSecurityGroupEgress"],
        ...["ec2:ModifySecurityGroupRules", "ec2:DescribeSecurityGroupRules"],
    ],
    "ec2/instance": [
        ...["ec2:RunInstances", "ec2:TerminateInstances", "ec2:StartInstances", "ec2:StopInstances"],
        ...["ec2:ModifyInstanceAttribute", "ec2:ModifyInstanceMetadataOptions", "ec2:DescribeInstances"],
        ...["ec2:DescribeInstanceAttribute", "ec2:DescribeInstanceTypes", "ec2:DescribeInstanceCreditSpecifications"],
        ...["ec2:DescribeVolumes", "ec2:DescribeTags", "iam:PassRole"],
        ...["ec2:ModifyInstanceCreditSpecification", "ec2:ModifyVolume", ...usesKey],
    ],
    "ec2/launchTemplate": [
        ...["ec2:CreateLaunchTemplate", "ec2:CreateLaunchTemplateVersion", "ec2:ModifyLaunchTemplate"],
        ...["ec2:DeleteLaunchTemplate", "ec2:DescribeLaunchTemplates", "ec2:DescribeLaunchTemplateVersions"],
    ],
    "ebs/volume": [
        ...["ec2:CreateVolume", "ec2:DeleteVolume", "ec2:ModifyVolume", "ec2:DescribeVolumes"],
        ...["ec2:DescribeVolumesModifications", ...usesKey],
    ],
    "ec2/volumeAttachment": [
        ...["ec2:AttachVolume", "ec2:DetachVolume", "ec2:StopInstances"],
        ...["ec2:DescribeVolumes", "ec2:DescribeInstances"],
    ],
    "autoscaling/group": [
        ...["autoscaling:CreateAutoScalingGroup", "autoscaling:UpdateAutoScalingGroup"],
        ...["autoscaling:DeleteAutoScalingGroup", "autoscaling:DescribeAutoScalingGroups"],
        ...["autoscaling:CreateOrUpdateTags", "autoscaling:DeleteTags", "autoscaling:DescribeScalingActivities"],
        ...["autoscaling:StartInstanceRefresh", "autoscaling:CancelInstanceRefresh"],
        ...["autoscaling:DescribeInstanceRefreshes", "ec2:RunInstances", "ec2:DescribeLaunchTemplateVersions"],
        ...["iam:PassRole", "iam:CreateServiceLinkedRole"],
    ],
    "autoscaling/lifecycleHook": [
        ...["autoscaling:PutLifecycleHook", "autoscaling:DeleteLifecycleHook"],
        "autoscaling:DescribeLifecycleHooks",
    ],
    "lb/loadBalancer": [
        ...["elasticloadbalancing:CreateLoadBalancer", "elasticloadbalancing:DeleteLoadBalancer"],
        ...["elasticloadbalancing:DescribeLoadBalancers", "elasticloadbalancing:DescribeLoadBalancerAttributes"],
        ...["elasticloadbalancing:ModifyLoadBalancerAttributes", "elasticloadbalancing:SetSubnets"],
        ...["elasticloadbalancing:SetSecurityGroups", ...describesNetwork],
        ...["ec2:DescribeInternetGateways", "ec2:DescribeVpcs", "iam:CreateServiceLinkedRole"],
        // Before the account has the service's role. Source: kubernetes/cloud-provider-aws#59.
        ...["ec2:DescribeAccountAttributes", "ec2:DescribeAddresses"],
    ],
    "lb/targetGroup": [
        ...["elasticloadbalancing:CreateTargetGroup", "elasticloadbalancing:DeleteTargetGroup"],
        ...["elasticloadbalancing:ModifyTargetGroup", "elasticloadbalancing:ModifyTargetGroupAttributes"],
        ...["elasticloadbalancing:DescribeTargetGroups", "elasticloadbalancing:DescribeTargetGroupAttributes"],
        "ec2:DescribeVpcs",
    ],
    "lb/targetGroupAttachment": [
        ...["elasticloadbalancing:RegisterTargets", "elasticloadbalancing:DeregisterTargets"],
        "elasticloadbalancing:DescribeTargetHealth",
    ],
    "lb/listener": [
        ...["elasticloadbalancing:CreateListener", "elasticloadbalancing:DeleteListener"],
        ...["elasticloadbalancing:ModifyListener", "elasticloadbalancing:DescribeListeners"],
        ...["elasticloadbalancing:DescribeListenerAttributes", "elasticloadbalancing:ModifyListenerAttributes"],
    ],
    "route53/zone": [
        ...["route53:CreateHostedZone", "route53:DeleteHostedZone", "route53:UpdateHostedZoneComment"],
        ...["route53:GetHostedZone", "route53:GetChange", "route53:ListResourceRecordSets"],
        ...["route53:ChangeResourceRecordSets", "route53:AssociateVPCWithHostedZone", "ec2:DescribeVpcs"],
    ],
    "route53/zoneAssociation": [
        ...["route53:AssociateVPCWithHostedZone", "route53:DisassociateVPCFromHostedZone"],
        ...["route53:GetHostedZone", "route53:GetChange", "ec2:DescribeVpcs"],
    ],
    "route53/record": [
        ...["route53:ChangeResourceRecordSets", "route53:ListResourceRecordSets"],
        ...["route53:GetHostedZone", "route53:GetChange"],
    ],
    "iam/role": [
        ...["iam:CreateRole", "iam:DeleteRole", "iam:GetRole", "iam:UpdateRole", "iam:UpdateRoleDescription"],
        ...["iam:UpdateAssumeRolePolicy", "iam:ListRolePolicies", "iam:ListAttachedRolePolicies"],
        "iam:ListInstanceProfilesForRole",
        ...["iam:PutRolePermissionsBoundary", "iam:DeleteRolePermissionsBoundary"],
    ],
    "iam/rolePolicy": ["iam:PutRolePolicy", "iam:GetRolePolicy", "iam:DeleteRolePolicy"],
    "iam/rolePolicyAttachment": ["iam:AttachRolePolicy", "iam:DetachRolePolicy", "iam:ListAttachedRolePolicies"],
    "iam/openIdConnectProvider": [
        ...["iam:CreateOpenIDConnectProvider", "iam:DeleteOpenIDConnectProvider", "iam:GetOpenIDConnectProvider"],
        ...["iam:AddClientIDToOpenIDConnectProvider", "iam:RemoveClientIDFromOpenIDConnectProvider"],
        ...["iam:TagOpenIDConnectProvider", "iam:UntagOpenIDConnectProvider"],
    ],
    "iam/instanceProfile": [
        ...["iam:CreateInstanceProfile", "iam:DeleteInstanceProfile", "iam:GetInstanceProfile"],
        ...["iam:AddRoleToInstanceProfile", "iam:RemoveRoleFromInstanceProfile", "iam:PassRole"],
    ],
    "s3/bucket": [
        ...["s3:CreateBucket", "s3:DeleteBucket", "s3:ListBucket", "s3:ListBucketVersions", "s3:DeleteObject"],
        ...["s3:DeleteObjectVersion", "s3:GetBucketLocation", "s3:GetBucketAcl", "s3:GetBucketCORS"],
        ...["s3:GetBucketLogging", "s3:GetBucketObjectLockConfiguration", "s3:GetBucketPolicy"],
        ...["s3:GetBucketRequestPayment", "s3:GetBucketVersioning", "s3:GetBucketWebsite"],
        ...["s3:GetAccelerateConfiguration", "s3:GetEncryptionConfiguration"],
        ...["s3:GetLifecycleConfiguration", "s3:GetReplicationConfiguration"],
    ],
    "s3/bucketPolicy": ["s3:PutBucketPolicy", "s3:GetBucketPolicy", "s3:DeleteBucketPolicy"],
    "s3/bucketObjectv2": ["s3:PutObject", "s3:GetObject", "s3:DeleteObject"],
    "s3/bucketPublicAccessBlock": ["s3:PutBucketPublicAccessBlock", "s3:GetBucketPublicAccessBlock"],
    "s3/bucketServerSideEncryptionConfiguration": ["s3:PutEncryptionConfiguration", "s3:GetEncryptionConfiguration"],
};

/** For tags, which most resources have, and for Pulumi's provider itself. */
export const awsOperatorAlways: readonly string[] = [
    ...["ec2:CreateTags", "ec2:DeleteTags"],
    ...["elasticloadbalancing:AddTags", "elasticloadbalancing:RemoveTags", "elasticloadbalancing:DescribeTags"],
    ...["iam:TagRole", "iam:UntagRole", "iam:TagInstanceProfile", "iam:UntagInstanceProfile"],
    ...["route53:ChangeTagsForResource", "route53:ListTagsForResource"],
    ...["s3:PutBucketTagging", "s3:GetBucketTagging", "s3:PutObjectTagging", "s3:GetObjectTagging"],
    "sts:GetCallerIdentity",
];

/**
 * Token scopes of the user who runs Pulumi on DigitalOcean, by resource or function of `@pulumi/digitalocean` used in
 * components.
 *
 * Source: DigitalOcean's reference of scopes. None of this was run there.
 */
export const digitalOceanOperator: Readonly<Record<string, readonly string[]>> = {
    getVpc: ["vpc:read"],
    getAccount: ["account:read"],
    getDomain: ["domain:read"],
    getDroplets: ["droplet:read"],
    getLoadBalancer: ["load_balancer:read"],
    getRecords: ["domain:read"],
    getSpacesBucket: ["a Spaces key with full access, in addition to the token"],
    getVolume: ["block_storage:read"],
    getImage: ["image:read"],
    getSizes: ["sizes:read"],
    getSshKeys: ["ssh_key:read"],
    vpc: ["vpc:create", "vpc:read", "vpc:update", "vpc:delete"],
    droplet: [
        ...["droplet:create", "droplet:read", "droplet:update", "droplet:delete"],
        ...["actions:read", "image:read", "regions:read", "sizes:read", "ssh_key:read", "vpc:read", "tag:create"],
    ],
    customImage: ["image:create", "image:read", "image:update", "image:delete"],
    volume: [
        ...["block_storage:create", "block_storage:read", "block_storage:delete"],
        ...["block_storage_action:create", "block_storage_action:read", "tag:create"],
    ],
    loadBalancer: [
        ...["load_balancer:create", "load_balancer:read", "load_balancer:update", "load_balancer:delete"],
        ...["droplet:read", "vpc:read"],
    ],
    firewall: ["firewall:create", "firewall:read", "firewall:update", "firewall:delete", "droplet:read", "tag:read"],
    dnsRecord: ["domain:create", "domain:read", "domain:update", "domain:delete"],
    tag: ["tag:create", "tag:read", "tag:delete"],
    getProject: ["project:read"],
    projectResources: ["project:read", "project:update"],
    spacesBucket: ["a Spaces key with full access, in addition to the token"],
    spacesKey: [
        ...["spaces_key:create_credentials", "spaces_key:read", "spaces_key:update", "spaces_key:delete"],
        "a Spaces key with full access, in addition to the token",
    ],
};

/** The permissions by resource or function, as Markdown. */
export function operatorTable(head: string, permissions: Readonly<Record<string, readonly string[]>>): string {
    return `${markdownTable(["For", head], operatorRows(permissions))}\n`;
}

function operatorRows(permissions: Readonly<Record<string, readonly string[]>>): string[][] {
    return Object.entries(permissions).flatMap(([type, calls]) =>
        inRows(calls).map((row, index) => [index > 0 ? "" : /\s/.test(type) ? type : `\`${type}\``, row]),
    );
}
