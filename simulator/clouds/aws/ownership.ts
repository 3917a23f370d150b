import type { Ownership, Ownerships } from "../shared/ownership";
import { architectureOf } from "./offers";

const removed = (before: readonly unknown[] = [], after: readonly unknown[] = []) =>
    new Set(after).size <= new Set(before).size && !before.every((each) => after.includes(each));
const isEmpty = (list: readonly unknown[] = []) => list.length === 0;

/** A setting of a bucket. */
const ofBucket: Ownership = { replacedBy: ["bucket"] };
const rule: Ownership = { replacedBy: ["securityGroupId"] };

/**
 * What `@pulumi/aws` 7 replaces, what others change too, and what a deletion takes along, by type and only for inputs
 * that are simulated.
 *
 * Source: `ForceNew`, `RequiresReplace` and `CustomizeDiff` of the resources in hashicorp/terraform-provider-aws
 * (internal/service), and the notes of the SDK's declarations.
 */
export const ownership: Ownerships = {
    "aws:autoscaling/group:Group": {
        replacedBy: ["name"],
        name: "name",
        shared: {
            desiredCapacity: {
                with: "the cluster autoscaler, in a pool with `min` and `max`",
                safe: "ignored",
                isShared: ({ minSize, maxSize }) => minSize !== maxSize,
            },
        },
        takes: "its instances",
    },
    "aws:autoscaling/lifecycleHook:LifecycleHook": { replacedBy: ["name", "autoscalingGroupName"], name: "name" },
    "aws:ebs/volume:Volume": {
        replacedBy: ["availabilityZone", "encrypted", "kmsKeyId"],
        takes: "its data",
    },
    "aws:ec2/egressOnlyInternetGateway:EgressOnlyInternetGateway": { replacedBy: ["vpcId"] },
    "aws:ec2/eip:Eip": { replacedBy: ["domain"], takes: "the address, which others may allow" },
    "aws:ec2/instance:Instance": {
        replacedBy: [
            "ami",
            "subnetId",
            "privateIp",
            "associatePublicIpAddress",
            "rootBlockDevice.encrypted",
            "rootBlockDevice.kmsKeyId",
        ],
        sometimesReplacedBy: {
            // hashicorp/terraform-provider-aws#36590, in 5.43.
            instanceType: {
                when: "the architecture differs",
                isReplaced: (before: string, after: string) => architectureOf(before) !== architectureOf(after),
            },
        },
        shared: {
            associatePublicIpAddress: { with: "EC2: a stopped instance has no public address", safe: "ignored" },
            vpcSecurityGroupIds: {
                with: "EC2's users",
                safe: { because: "no controller of a cluster adds groups to an instance of the stack" },
            },
        },
        omitted: {
            ebsBlockDevices: "the CSI driver attaches volumes",
            networkInterfaces: "VPC CNI plugins attach interfaces",
        },
        takes: "its root volume",
    },
    "aws:ec2/internetGateway:InternetGateway": { replacedBy: [] },
    "aws:ec2/launchTemplate:LaunchTemplate": { replacedBy: ["name"], name: "name", takes: "its earlier versions" },
    "aws:ec2/natGateway:NatGateway": { replacedBy: ["allocationId", "subnetId", "connectivityType"] },
    "aws:ec2/route:Route": { replacedBy: ["routeTableId", "destinationCidrBlock", "destinationIpv6CidrBlock"] },
    "aws:ec2/routeTable:RouteTable": {
        replacedBy: ["vpcId"],
        omitted: { routes: "gateway endpoints and route controllers add routes" },
        takes: "its routes",
    },
    "aws:ec2/routeTableAssociation:RouteTableAssociation": { replacedBy: ["subnetId"] },
    "aws:ec2/securityGroup:SecurityGroup": {
        replacedBy: ["name", "description", "vpcId"],
        name: "name",
        omitted: {
            ingress: "cloud controllers add rules for their load balancers",
            egress: "the stack's own rules are resources",
        },
        takes: "its rules",
    },
    "aws:ec2/subnet:Subnet": {
        replacedBy: ["vpcId", "availabilityZone", "cidrBlock"],
        sometimesReplacedBy: {
            // A removed one is computed, which is no change.
            ipv6CidrBlock: {
                when: "it is another one, and instances got addresses of it",
                isReplaced: (_: unknown, after: unknown, { assignIpv6AddressOnCreation }) =>
                    after !== undefined && assignIpv6AddressOnCreation === true,
            },
        },
    },
    "aws:ec2/volumeAttachment:VolumeAttachment": { replacedBy: ["deviceName", "instanceId", "volumeId"] },
    "aws:ec2/vpc:Vpc": { replacedBy: ["cidrBlock"] },
    "aws:ec2/vpcEndpoint:VpcEndpoint": { replacedBy: ["vpcId", "serviceName", "vpcEndpointType"] },
    "aws:iam/instanceProfile:InstanceProfile": { replacedBy: ["name"] },
    "aws:iam/openIdConnectProvider:OpenIdConnectProvider": { replacedBy: ["url"] },
    "aws:iam/role:Role": {
        replacedBy: ["name"],
        omitted: {
            inlinePolicies: "the stack's own policies are resources",
            managedPolicyArns: "accounts attach policies to every role",
        },
    },
    "aws:iam/rolePolicy:RolePolicy": { replacedBy: ["name", "role"] },
    "aws:iam/rolePolicyAttachment:RolePolicyAttachment": { replacedBy: ["role", "policyArn"] },
    "aws:lb/listener:Listener": { replacedBy: ["loadBalancerArn"] },
    "aws:lb/loadBalancer:LoadBalancer": {
        replacedBy: ["name", "loadBalancerType", "internal"],
        sometimesReplacedBy: {
            // customizeDiffLoadBalancerNLB.
            subnets: { when: "one is removed and there are not more than before", isReplaced: removed },
            securityGroups: {
                when: "the first is added, or the last removed",
                isReplaced: (before: readonly string[], after: readonly string[]) => isEmpty(before) !== isEmpty(after),
            },
        },
        name: "name",
        takes: "its addresses and DNS name, and its listeners",
    },
    "aws:lb/targetGroup:TargetGroup": {
        replacedBy: ["name", "vpcId", "targetType", "protocol", "port"],
        name: "name",
        takes: "its targets",
    },
    "aws:lb/targetGroupAttachment:TargetGroupAttachment": { replacedBy: ["targetGroupArn", "targetId", "port"] },
    "aws:route53/record:Record": { replacedBy: ["zoneId", "name"] },
    "aws:route53/zone:Zone": {
        replacedBy: ["name"],
        name: "name",
        shared: {
            vpcs: { with: "zone associations, of the stack and of other VPCs' owners", safe: "ignored" },
        },
        takes: "its records, with `forceDestroy`",
    },
    "aws:route53/zoneAssociation:ZoneAssociation": { replacedBy: ["zoneId", "vpcId", "vpcRegion"] },
    "aws:s3/bucket:Bucket": { replacedBy: ["bucket"], takes: "its objects, with `forceDestroy`" },
    "aws:s3/bucketObjectv2:BucketObjectv2": { replacedBy: ["bucket", "key"] },
    "aws:s3/bucketPolicy:BucketPolicy": ofBucket,
    "aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock": ofBucket,
    "aws:s3/bucketServerSideEncryptionConfiguration:BucketServerSideEncryptionConfiguration": ofBucket,
    "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule": rule,
    "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule": rule,
};
