import { met } from "../shared/behaviours";
import { listOf, oneOf, required, text } from "../shared/inputs";
import { owned, type Simulated } from "../shared/simulated";
import type { Account } from "./account";
import { autoScalingGroup } from "./auto-scaling-group";
import { bucket, bucketEncryption, bucketObject, bucketPolicy, bucketPublicAccessBlock } from "./bucket";
import type { Tags } from "./created";
import { instanceProfile, openIdConnectProvider, role, rolePolicy, rolePolicyAttachment } from "./identity";
import { instance } from "./instance";
import { launchTemplate } from "./launch-template";
import { lifecycleHook } from "./lifecycle-hook";
import { listener, loadBalancer, targetGroup, targetGroupAttachment } from "./load-balancer";
import { announceZone } from "./names";
import { eip, natGateway } from "./nat-gateway";
import { subnet, vpc } from "./network";
import { privateZones, publicNameServers, zoneOf } from "./offers";
import { ownership } from "./ownership";
import { record } from "./record";
import { egressOnlyInternetGateway, internetGateway, route, routeTable, routeTableAssociation } from "./routing";
import { has, id, tags, yesOrNo } from "./rules";
import { securityGroup, securityGroupEgressRule, securityGroupIngressRule } from "./security-group";
import { volume, volumeAttachment } from "./volume";
import { vpcEndpoint } from "./vpc-endpoint";

/** A hosted zone. With VPCs it is private: its records are only in their DNS. */
export const hostedZone: Simulated<Account> = {
    inputs: {
        name: text("a DNS name", /^[a-z0-9.-]+$/, required),
        comment: text("at most 256 characters", /^.{0,256}$/s),
        forceDestroy: yesOrNo,
        vpcs: listOf("VPCs by their ids", (value: unknown) =>
            has(value, { vpcId: (each) => /^vpc-[0-9a-f]{8,17}$/.test(String(each)) }),
        ),
        tags,
    },
    outputs: ["arn", "nameServers", "primaryNameServer", "zoneId"],
    async create(account, { name, vpcs = [], forceDestroy }) {
        const homes = (vpcs as { vpcId: string }[]).map(({ vpcId }) => vpcId);
        for (const home of homes) requireUnresolved(account, home, String(name));
        if (homes.length > 0) met("split horizon");
        const created = `Z${account.newId("z").slice(2).toUpperCase()}`;
        account.put("hostedZones", created, { name: String(name), vpcs: homes, isForced: forceDestroy === true });
        await announceZone(account, String(name));
        const nameServers = homes.length > 0 ? [] : [...publicNameServers];
        return {
            id: created,
            outputs: { arn: `arn:aws:route53:::hostedzone/${created}`, zoneId: created, nameServers },
        };
    },
    async update(account, zoneId, { forceDestroy }) {
        account.put("hostedZones", zoneId, {
            ...account.find("hostedZones", zoneId),
            isForced: forceDestroy === true,
        });
        return undefined;
    },
    async delete(account, zoneId) {
        const { name, isForced } = account.find("hostedZones", zoneId);
        const left = Object.keys(account.resources.records).filter((each) => each.startsWith(`${zoneId}_`));
        if (left.length > 0 && !isForced) throw new Error(`HostedZoneNotEmpty: ${name} has ${left.join(", ")}`);
        for (const each of left) await record.delete(account, each);
        account.remove("hostedZones", zoneId);
        await announceZone(account, name);
    },
    now(account, zoneId) {
        const { vpcs } = account.find("hostedZones", zoneId);
        const associated = account.all("zoneAssociations").flatMap(({ zone, vpc }) => (zone === zoneId ? [vpc] : []));
        return { vpcs: [...(vpcs ?? []), ...associated].map((vpcId) => ({ vpcId })) };
    },
};

/** Lets another VPC resolve a private hosted zone. */
export const zoneAssociation: Simulated<Account> = {
    inputs: {
        zoneId: text("a hosted zone's id", /^Z[A-Z0-9]+$/, required),
        vpcId: id("vpc", required),
        vpcRegion: oneOf([]),
    },
    outputs: ["owningAccount"],
    async create(account, { zoneId, vpcId }) {
        const { name, vpcs } = zoneOf(account, String(zoneId));
        if (!vpcs) throw new Error(`PublicZoneVPCAssociation: the hosted zone ${zoneId} is public`);
        requireUnresolved(account, String(vpcId), name);
        const created = `${zoneId}:${vpcId}`;
        account.put("zoneAssociations", created, { name: created, zone: String(zoneId), vpc: String(vpcId) });
        await announceZone(account, name);
        return { id: created };
    },
    async delete(account, associationId) {
        const { zone } = account.find("zoneAssociations", associationId);
        account.remove("zoneAssociations", associationId);
        await announceZone(account, zoneOf(account, zone).name);
    },
};

/** A VPC resolves only one private hosted zone of a name. */
function requireUnresolved(account: Account, vpc: string, name: string): void {
    account.find("vpcs", vpc);
    const other = Object.entries(privateZones(account)).find(
        ([, each]) => each.name === name && each.vpcs.includes(vpc),
    );
    if (other) throw new Error(`ConflictingDomainExists: ${vpc} is associated with ${other[0]} of ${name} already`);
}

type TaggedKind =
    | "vpcs"
    | "subnets"
    | "routeTables"
    | "securityGroups"
    | "instances"
    | "volumes"
    | "loadBalancers"
    | "targetGroups"
    | "listeners";

/** A type that stores its tags in the account, for policies that use them. */
function tagged(kind: TaggedKind, type: Simulated<Account>): Simulated<Account> {
    const { update } = type;
    const keep = (account: Account, id: string, tags: unknown) =>
        account.change(kind, id, (now) => ({ ...now, tags: (tags ?? {}) as Tags }));
    return {
        ...type,
        async create(account, inputs) {
            const created = await type.create(account, inputs);
            keep(account, created.id, inputs.tags);
            return created;
        },
        ...(update && {
            async update(account, id, inputs, before) {
                const outputs = await update(account, id, inputs, before);
                keep(account, id, inputs.tags);
                return outputs;
            },
        }),
    };
}

const simulated: Readonly<Record<string, Simulated<Account>>> = {
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
    "aws:iam/openIdConnectProvider:OpenIdConnectProvider": openIdConnectProvider,
    "aws:iam/role:Role": role,
    "aws:iam/rolePolicy:RolePolicy": rolePolicy,
    "aws:iam/rolePolicyAttachment:RolePolicyAttachment": rolePolicyAttachment,
    "aws:lb/listener:Listener": tagged("listeners", listener),
    "aws:lb/loadBalancer:LoadBalancer": tagged("loadBalancers", loadBalancer),
    "aws:lb/targetGroup:TargetGroup": tagged("targetGroups", targetGroup),
    "aws:lb/targetGroupAttachment:TargetGroupAttachment": targetGroupAttachment,
    "aws:route53/record:Record": record,
    "aws:route53/zone:Zone": hostedZone,
    "aws:route53/zoneAssociation:ZoneAssociation": zoneAssociation,
    "aws:s3/bucket:Bucket": bucket,
    "aws:s3/bucketObjectv2:BucketObjectv2": bucketObject,
    "aws:s3/bucketPolicy:BucketPolicy": bucketPolicy,
    "aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock": bucketPublicAccessBlock,
    "aws:s3/bucketServerSideEncryptionConfiguration:BucketServerSideEncryptionConfiguration": bucketEncryption,
    "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule": securityGroupEgressRule,
    "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule": securityGroupIngressRule,
};

/** All simulated types: exactly those that our stack uses. */
export const types = owned(simulated, ownership);
