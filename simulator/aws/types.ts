import type { Simulated } from "../cloud/simulated";
import type { Account } from "./account";
import { autoScalingGroup } from "./auto-scaling-group";
import { bucket, bucketEncryption, bucketObject, bucketPublicAccessBlock } from "./bucket";
import { hostedZone, zoneAssociation } from "./hosted-zone";
import { instanceProfile, role, rolePolicy } from "./identity";
import { instance } from "./instance";
import { launchTemplate } from "./launch-template";
import { lifecycleHook } from "./lifecycle-hook";
import { listener, loadBalancer, targetGroup, targetGroupAttachment } from "./load-balancer";
import { eip, natGateway } from "./nat-gateway";
import { subnet, vpc } from "./network";
import { record } from "./record";
import { egressOnlyInternetGateway, internetGateway, route, routeTable, routeTableAssociation } from "./routing";
import { securityGroup, securityGroupEgressRule, securityGroupIngressRule } from "./security-group";
import { tagged } from "./tagged";
import { volume, volumeAttachment } from "./volume";
import { vpcEndpoint } from "./vpc-endpoint";

/** Every type that is simulated: those that our stack uses, and no others. */
export const types: Readonly<Record<string, Simulated<Account>>> = {
    "aws:autoscaling/group:Group": autoScalingGroup,
    "aws:autoscaling/lifecycleHook:LifecycleHook": lifecycleHook,
    "aws:ebs/volume:Volume": tagged("volumes", volume),
    "aws:ec2/egressOnlyInternetGateway:EgressOnlyInternetGateway": egressOnlyInternetGateway,
    "aws:ec2/eip:Eip": eip,
    "aws:ec2/instance:Instance": tagged("instances", instance),
    "aws:ec2/internetGateway:InternetGateway": internetGateway,
    "aws:ec2/launchTemplate:LaunchTemplate": launchTemplate,
    "aws:ec2/natGateway:NatGateway": natGateway,
    "aws:ec2/route:Route": route,
    "aws:ec2/routeTable:RouteTable": tagged("routeTables", routeTable),
    "aws:ec2/routeTableAssociation:RouteTableAssociation": routeTableAssociation,
    "aws:ec2/securityGroup:SecurityGroup": tagged("securityGroups", securityGroup),
    "aws:ec2/subnet:Subnet": tagged("subnets", subnet),
    "aws:ec2/volumeAttachment:VolumeAttachment": volumeAttachment,
    "aws:ec2/vpc:Vpc": tagged("vpcs", vpc),
    "aws:ec2/vpcEndpoint:VpcEndpoint": vpcEndpoint,
    "aws:iam/instanceProfile:InstanceProfile": instanceProfile,
    "aws:iam/role:Role": role,
    "aws:iam/rolePolicy:RolePolicy": rolePolicy,
    "aws:lb/listener:Listener": tagged("listeners", listener),
    "aws:lb/loadBalancer:LoadBalancer": tagged("loadBalancers", loadBalancer),
    "aws:lb/targetGroup:TargetGroup": tagged("targetGroups", targetGroup),
    "aws:lb/targetGroupAttachment:TargetGroupAttachment": targetGroupAttachment,
    "aws:route53/record:Record": record,
    "aws:route53/zone:Zone": hostedZone,
    "aws:route53/zoneAssociation:ZoneAssociation": zoneAssociation,
    "aws:s3/bucket:Bucket": bucket,
    "aws:s3/bucketObjectv2:BucketObjectv2": bucketObject,
    "aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock": bucketPublicAccessBlock,
    "aws:s3/bucketServerSideEncryptionConfiguration:BucketServerSideEncryptionConfiguration": bucketEncryption,
    "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule": securityGroupEgressRule,
    "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule": securityGroupIngressRule,
};
