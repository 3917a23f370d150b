import { EgressOnlyInternetGateway } from "@pulumi/aws/ec2/egressOnlyInternetGateway";
import { InternetGateway } from "@pulumi/aws/ec2/internetGateway";
import type { NatGateway } from "@pulumi/aws/ec2/natGateway";
import type { RouteTable } from "@pulumi/aws/ec2/routeTable";
import { Subnet } from "@pulumi/aws/ec2/subnet";
import { Vpc } from "@pulumi/aws/ec2/vpc";
import type * as pulumi from "@pulumi/pulumi";
import { mustStay } from "../must-stay";
import { createS3Endpoint } from "./endpoints";
import { findNetwork } from "./existing-network";
import { createNatGateways } from "./nat-gateways";
import type { Aws } from "./resolve";
import { createRoutes } from "./routes";
import { ipv6Subnet, type OwnSubnet, ownSubnets, type ZoneLetter } from "./subnets";
import type { Tags } from "./tags";
import { zonesThere } from "./zones-there";

/** A subnet, the cluster's own or one that was there. */
export interface NetworkSubnet {
    readonly id: pulumi.Input<string>;
    readonly availabilityZone: pulumi.Input<string>;
}

export interface AwsNetwork {
    readonly vpc: {
        readonly id: pulumi.Input<string>;
        /** The one that AWS gave it. */
        readonly ipv6CidrBlock: pulumi.Input<string>;
    };
    /** The cluster's own VPC. @default it was there */
    readonly own?: Vpc;
    /** One of a zone, where the load balancer is: public ones, unless it is internal. */
    readonly loadBalancerSubnets: readonly NetworkSubnet[];
    /** Where nodes are: those, or private ones. */
    readonly nodeSubnets: readonly NetworkSubnet[];
    /** By which private nodes get out, by their zone. */
    readonly natGateways: Partial<Record<ZoneLetter, NatGateway>>;
    /** Those of nodes' subnets. None of a VPC that was there. */
    readonly routeTables: readonly RouteTable[];
    /** What has to be there before anything in a subnet reaches the internet, or its config at least. */
    readonly ways: readonly pulumi.Resource[];
}

/** The owner's VPC and subnets, or the cluster's own. */
export function createNetwork(name: string, aws: Aws, tags: Tags, opts: pulumi.CustomResourceOptions): AwsNetwork {
    return aws.existing ? findNetwork(aws.existing, aws, opts) : createOwnNetwork(name, aws, tags, opts);
}

/**
 * The cluster's own VPC, with a public subnet in each zone, and a private one where nodes are private: or these alone, where
 * nothing gets out.
 */
function createOwnNetwork(name: string, aws: Aws, tags: Tags, opts: pulumi.CustomResourceOptions): AwsNetwork {
    const { zones, vpcCidr, topology, natGateways, apiAccess, hasIpv6 } = aws;
    const vpc = new Vpc(
        name,
        {
            cidrBlock: vpcCidr.text,
            ...(hasIpv6 && { assignGeneratedIpv6CidrBlock: true }),
            enableDnsSupport: true,
            enableDnsHostnames: true,
            tags: tags(name),
        },
        // Another block would be another VPC, and so another cluster.
        { ...opts, ignoreChanges: ["cidrBlock"] },
    );
    mustStay("vpcCidr", vpcCidr.text, vpc.cidrBlock);
    const zoneOf = zonesThere(aws, opts.parent);
    const create = ({ kind, zone, cidr }: OwnSubnet) => {
        const resource = `${name}-${kind}-${zone}`;
        const isPublic = kind === "public";
        return new Subnet(
            resource,
            {
                vpcId: vpc.id,
                availabilityZone: zoneOf(zone),
                cidrBlock: cidr,
                ...(hasIpv6 && {
                    ipv6CidrBlock: vpc.ipv6CidrBlock.apply((block) => ipv6Subnet(block, { kind, zone })),
                    assignIpv6AddressOnCreation: true,
                }),
                mapPublicIpOnLaunch: isPublic,
                // Named by its instance's id: an address may come back to another instance, as the same node.
                privateDnsHostnameTypeOnLaunch: "resource-name",
                tags: { ...tags(resource), [`kubernetes.io/role/${isPublic ? "elb" : "internal-elb"}`]: "1" },
            },
            opts,
        );
    };
    const subnets = ownSubnets(aws);
    if (natGateways === "none")
        return withoutWayOut(name, { vpc, aws, subnets: subnets.private.map(create), tags }, opts);
    const gateway = new InternetGateway(name, { vpcId: vpc.id, tags: tags(name) }, opts);
    const publicSubnets = subnets.public.map(create);
    const toGateway = { gatewayId: gateway.id };
    const { table: publicTable, ways: toInternet } = createRoutes(
        { name, table: `${name}-public`, vpc, to: toGateway, ...(hasIpv6 && { toByIpv6: toGateway }), tags },
        zones.map((zone, index) => ({ name: `${name}-public-${zone}`, subnet: publicSubnets[index]! })),
        opts,
    );
    if (topology === "public") {
        const own = { vpc, own: vpc, natGateways: {}, routeTables: [publicTable], ways: toInternet };
        return { ...own, loadBalancerSubnets: publicSubnets, nodeSubnets: publicSubnets };
    }
    const nodeSubnets = subnets.private.map(create);
    const nats = createNatGateways(
        name,
        { zones: natGateways === "one" ? zones.slice(0, 1) : zones, publicSubnets, ways: toInternet, tags },
        opts,
    );
    // Addresses of IPv6 are public ones: what comes from outside stays there.
    const egress = hasIpv6 ? new EgressOnlyInternetGateway(name, { vpcId: vpc.id, tags: tags(name) }, opts) : undefined;
    const toByIpv6 = egress && { egressOnlyGatewayId: egress.id };
    const throughNat = zones.map((zone, index) => {
        const resource = `${name}-private-${zone}`;
        const to = { natGatewayId: (nats[zone] ?? nats[zones[0]!])!.id };
        return createRoutes(
            { name: resource, table: resource, vpc, to, toByIpv6, tags },
            [{ name: resource, subnet: nodeSubnets[index]! }],
            opts,
        );
    });
    return {
        vpc,
        own: vpc,
        loadBalancerSubnets: apiAccess === "internal" ? nodeSubnets : publicSubnets,
        nodeSubnets,
        natGateways: nats,
        routeTables: throughNat.map(({ table }) => table),
        ways: [...toInternet, ...throughNat.flatMap(({ ways }) => ways)],
    };
}

/** Private subnets that reach the VPC, and S3 through its endpoint, where nodes find their configs. */
function withoutWayOut(
    name: string,
    {
        vpc,
        aws,
        subnets,
        tags,
    }: { readonly vpc: Vpc; readonly aws: Aws; readonly subnets: readonly Subnet[]; readonly tags: Tags },
    opts: pulumi.CustomResourceOptions,
): AwsNetwork {
    const members = aws.zones.map((zone, index) => ({ name: `${name}-private-${zone}`, subnet: subnets[index]! }));
    const { table, ways } = createRoutes({ name, table: `${name}-private`, vpc, tags }, members, opts);
    const toS3 = createS3Endpoint(name, { region: aws.region, vpc, table, tags }, opts);
    const own = { vpc, own: vpc, natGateways: {}, routeTables: [table], ways: [...ways, toS3] };
    return { ...own, loadBalancerSubnets: subnets, nodeSubnets: subnets };
}
