import { EgressOnlyInternetGateway } from "@pulumi/aws/ec2/egressOnlyInternetGateway";
import { Eip } from "@pulumi/aws/ec2/eip";
import { InternetGateway } from "@pulumi/aws/ec2/internetGateway";
import { NatGateway } from "@pulumi/aws/ec2/natGateway";
import { Route } from "@pulumi/aws/ec2/route";
import { RouteTable } from "@pulumi/aws/ec2/routeTable";
import { RouteTableAssociation } from "@pulumi/aws/ec2/routeTableAssociation";
import { Subnet } from "@pulumi/aws/ec2/subnet";
import { Vpc } from "@pulumi/aws/ec2/vpc";
import { getAvailabilityZones } from "@pulumi/aws/getAvailabilityZones";
import * as pulumi from "@pulumi/pulumi";
import { invalid } from "../../../cluster/validate";
import { checked, lookUp, mustStay } from "../../pulumi/errors";
import type { AwsAccount } from "../account";
import type { Aws, AwsNetwork } from "../model";
import type { Tags } from "../tags";
import { createS3Endpoint } from "./endpoints";
import { findNetwork } from "./existing-network";
import { ipv6Subnet, type OwnSubnet, ownSubnets, type ZoneLetter } from "./subnets";

/** The user's VPC and subnets, or the cluster's own. */
export function createNetwork(name: string, args: NetworkArgs, opts: pulumi.CustomResourceOptions): AwsNetwork {
    const { aws } = args;
    return aws.existing ? findNetwork(aws.existing, aws, opts) : createOwnNetwork(name, args, opts);
}

interface NetworkArgs {
    readonly aws: Aws;
    readonly account: AwsAccount;
    readonly tags: Tags;
}

/**
 * The cluster's own VPC. Each zone has a public subnet, and with private nodes a private one; only private ones without
 * a route to the internet.
 */
function createOwnNetwork(
    name: string,
    { aws, account, tags }: NetworkArgs,
    opts: pulumi.CustomResourceOptions,
): AwsNetwork {
    const { zones, vpcCidr, topology, natGateways, apiAccess, ipv6, s3Endpoint } = aws;
    const vpc = new Vpc(
        name,
        {
            cidrBlock: vpcCidr.text,
            ...(ipv6 && { assignGeneratedIpv6CidrBlock: true }),
            enableDnsSupport: true,
            enableDnsHostnames: true,
            tags: tags(name),
        },
        // Another block would be another VPC, and so another cluster.
        pulumi.mergeOptions({ ...opts, ignoreChanges: ["cidrBlock"] }, account.ofVpc()),
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
                ...(ipv6 && {
                    ipv6CidrBlock: vpc.ipv6CidrBlock.apply((block) => ipv6Subnet(block, { kind, zone })),
                    assignIpv6AddressOnCreation: true,
                }),
                mapPublicIpOnLaunch: isPublic,
                // Named by instance id: addresses are reused, and another instance would become the same node.
                privateDnsHostnameTypeOnLaunch: "resource-name",
                enableResourceNameDnsARecordOnLaunch: true,
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
        { name, table: `${name}-public`, vpc, to: toGateway, ...(ipv6 && { toByIpv6: toGateway }), tags },
        zones.map((zone, index) => ({ name: `${name}-public-${zone}`, subnet: publicSubnets[index]! })),
        opts,
    );
    const toS3 = (tables: readonly RouteTable[]) =>
        s3Endpoint ? [createS3Endpoint(name, { region: aws.region, vpc, tables, tags }, opts)] : [];
    if (topology === "public") {
        const ways = [...toInternet, ...toS3([publicTable])];
        const own = { vpc, own: vpc, natGateways: {}, securityGroupIds: [], routeTables: [publicTable], ways };
        return { ...own, loadBalancerSubnets: publicSubnets, nodeSubnets: publicSubnets };
    }
    const nodeSubnets = subnets.private.map(create);
    const nats = createNatGateways(
        name,
        { zones: natGateways === "one" ? zones.slice(0, 1) : zones, publicSubnets, ways: toInternet, tags },
        opts,
    );
    // IPv6 addresses are public: this keeps traffic from outside out.
    const egress = ipv6 ? new EgressOnlyInternetGateway(name, { vpcId: vpc.id, tags: tags(name) }, opts) : undefined;
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
    const routeTables = throughNat.map(({ table }) => table);
    return {
        vpc,
        own: vpc,
        loadBalancerSubnets: apiAccess === "internal" ? nodeSubnets : publicSubnets,
        nodeSubnets,
        natGateways: nats,
        securityGroupIds: [],
        routeTables,
        ways: [...toInternet, ...throughNat.flatMap(({ ways }) => ways), ...toS3(routeTables)],
    };
}

/** Private subnets that only reach the VPC, and S3 through its endpoint for the nodes' configs. */
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
    const toS3 = createS3Endpoint(name, { region: aws.region, vpc, tables: [table], tags }, opts);
    const own = { vpc, own: vpc, natGateways: {}, securityGroupIds: [], routeTables: [table], ways: [...ways, toS3] };
    return { ...own, loadBalancerSubnets: subnets, nodeSubnets: subnets };
}

interface NatGatewaysArgs {
    /** Zones that get one, starting with the first. */
    readonly zones: readonly ZoneLetter[];
    /** In the order of the zones. */
    readonly publicSubnets: readonly Subnet[];
    /** What connects public subnets to the internet. */
    readonly ways: readonly pulumi.Resource[];
    readonly tags: Tags;
}

/** Connects private nodes to the internet, each gateway with a fixed address. */
function createNatGateways(
    name: string,
    { zones, publicSubnets, ways, tags }: NatGatewaysArgs,
    opts: pulumi.CustomResourceOptions,
): Partial<Record<ZoneLetter, NatGateway>> {
    const create = (zone: ZoneLetter, index: number) => {
        const resource = `${name}-nat-${zone}`;
        const own = { tags: tags(resource) };
        const address = new Eip(resource, { domain: "vpc", ...own }, { ...opts, dependsOn: [...ways] });
        return new NatGateway(
            resource,
            { allocationId: address.id, subnetId: publicSubnets[index]!.id, ...own },
            { ...opts, dependsOn: [...ways] },
        );
    };
    return Object.fromEntries(zones.map((zone, index) => [zone, create(zone, index)]));
}

interface RouteArgs {
    readonly name: string;
    /** Name of the route table. */
    readonly table: string;
    readonly vpc: Vpc;
    /** Gateway to the internet. @default none */
    readonly to?: { readonly gatewayId: pulumi.Input<string> } | { readonly natGatewayId: pulumi.Input<string> };
    /** The same for IPv6. @default none */
    readonly toByIpv6?:
        | { readonly gatewayId: pulumi.Input<string> }
        | { readonly egressOnlyGatewayId: pulumi.Input<string> };
    readonly tags: Tags;
}

interface RoutedTable {
    readonly table: RouteTable;
    /** The route, and its association with each subnet. */
    readonly ways: readonly pulumi.Resource[];
}

/** A route table whose subnets reach the internet through a gateway, or only the VPC. */
function createRoutes(
    { name, table: called, vpc, to, toByIpv6, tags }: RouteArgs,
    members: readonly { readonly name: string; readonly subnet: Subnet }[],
    opts: pulumi.CustomResourceOptions,
): RoutedTable {
    const table = new RouteTable(called, { vpcId: vpc.id, tags: tags(called) }, opts);
    const of = { routeTableId: table.id };
    const out = to ? [new Route(`${name}-internet`, { ...of, destinationCidrBlock: "0.0.0.0/0", ...to }, opts)] : [];
    if (toByIpv6) {
        out.push(new Route(`${name}-internet-ipv6`, { ...of, destinationIpv6CidrBlock: "::/0", ...toByIpv6 }, opts));
    }
    const parts = members.map(
        (each) => new RouteTableAssociation(each.name, { subnetId: each.subnet.id, routeTableId: table.id }, opts),
    );
    return { table, ways: [...out, ...parts] };
}

/**
 * `(zone) => name` of an availability zone, once AWS has confirmed that the region has all of the cluster's zones: some
 * regions have two, letters are skipped, and newer accounts do not see all of them.
 *
 * A zone counts whatever its state: one that is down does not block `pulumi up`.
 */
function zonesThere(
    { region, zones }: Pick<Aws, "region" | "zones">,
    parent: pulumi.Resource | undefined,
): (zone: ZoneLetter) => pulumi.Output<string> {
    const asked = getAvailabilityZones({}, { parent });
    const legal = "a region whose zones the account may list";
    const there = lookUp(asked, "region", legal, region).names.apply((names) =>
        checked(() => requireThere(zones, lettersOf(region, names), region)),
    );
    return (zone) => there.apply(() => `${region}${zone}`);
}

function requireThere(zones: readonly ZoneLetter[], letters: readonly string[], region: string): void {
    if (letters.length === 0) throw invalid("region", "the region of the AWS provider", region);
    const missing = zones.filter((zone) => !letters.includes(zone));
    if (missing.length === 0) return;
    throw invalid("zones", `from ${letters.join(", ")}, the zones of this account in ${region}`, zones);
}

/** Letters of regular zones: local and wavelength zones have longer names. */
function lettersOf(region: string, names: readonly string[]): string[] {
    return names.flatMap((name) => (name.slice(0, -1) === region ? [name.slice(-1)] : [])).sort();
}
