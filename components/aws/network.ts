import { InternetGateway } from "@pulumi/aws/ec2/internetGateway";
import type { NatGateway } from "@pulumi/aws/ec2/natGateway";
import { Subnet } from "@pulumi/aws/ec2/subnet";
import { Vpc } from "@pulumi/aws/ec2/vpc";
import type * as pulumi from "@pulumi/pulumi";
import { findNetwork } from "./existing-network";
import { createNatGateways } from "./nat-gateways";
import type { Aws } from "./resolve";
import { createRoute } from "./routes";
import { type OwnSubnet, ownSubnets, type ZoneLetter } from "./subnets";
import type { Tags } from "./tags";

/** A subnet, the cluster's own or one that was there. */
export interface NetworkSubnet {
    readonly id: pulumi.Input<string>;
    readonly availabilityZone: pulumi.Input<string>;
}

export interface AwsNetwork {
    readonly vpc: { readonly id: pulumi.Input<string> };
    /** The cluster's own VPC. @default it was there */
    readonly own?: Vpc;
    /** Public ones, one of a zone, where the load balancer is. */
    readonly publicSubnets: readonly NetworkSubnet[];
    /** Where nodes are: those, or private ones. */
    readonly nodeSubnets: readonly NetworkSubnet[];
    /** By which private nodes get out, by their zone. */
    readonly natGateways: Partial<Record<ZoneLetter, NatGateway>>;
    /** What has to be there before anything in a subnet reaches the internet. */
    readonly ways: readonly pulumi.Resource[];
}

/** The owner's VPC and subnets, or the cluster's own. */
export function createNetwork(name: string, aws: Aws, tags: Tags, opts: pulumi.CustomResourceOptions): AwsNetwork {
    return aws.existing ? findNetwork(aws.existing, aws, opts) : createOwnNetwork(name, aws, tags, opts);
}

/** The cluster's own VPC, with a public subnet in each zone, and a private one where nodes are private. */
function createOwnNetwork(name: string, aws: Aws, tags: Tags, opts: pulumi.CustomResourceOptions): AwsNetwork {
    const { region, zones, vpcCidr, topology, natGateways } = aws;
    const vpc = new Vpc(
        name,
        { cidrBlock: vpcCidr.text, enableDnsSupport: true, enableDnsHostnames: true, tags: tags(name) },
        opts,
    );
    const gateway = new InternetGateway(name, { vpcId: vpc.id, tags: tags(name) }, opts);
    const create = ({ kind, zone, cidr }: OwnSubnet) => {
        const resource = `${name}-${kind}-${zone}`;
        const isPublic = kind === "public";
        return new Subnet(
            resource,
            {
                vpcId: vpc.id,
                availabilityZone: `${region}${zone}`,
                cidrBlock: cidr,
                mapPublicIpOnLaunch: isPublic,
                // Named by its instance's id: an address may come back to another instance, as the same node.
                privateDnsHostnameTypeOnLaunch: "resource-name",
                tags: { ...tags(resource), [`kubernetes.io/role/${isPublic ? "elb" : "internal-elb"}`]: "1" },
            },
            opts,
        );
    };
    const subnets = ownSubnets(aws);
    const publicSubnets = subnets.public.map(create);
    const toInternet = createRoute(
        { name, table: `${name}-public`, vpc, to: { gatewayId: gateway.id }, tags },
        zones.map((zone, index) => ({ name: `${name}-public-${zone}`, subnet: publicSubnets[index]! })),
        opts,
    );
    if (topology === "public") {
        return { vpc, own: vpc, publicSubnets, nodeSubnets: publicSubnets, natGateways: {}, ways: toInternet };
    }
    const nodeSubnets = subnets.private.map(create);
    const nats = createNatGateways(
        name,
        { zones: natGateways === "one" ? zones.slice(0, 1) : zones, publicSubnets, ways: toInternet, tags },
        opts,
    );
    const throughNat = zones.flatMap((zone, index) => {
        const resource = `${name}-private-${zone}`;
        const to = { natGatewayId: (nats[zone] ?? nats[zones[0]!])!.id };
        return createRoute(
            { name: resource, table: resource, vpc, to, tags },
            [{ name: resource, subnet: nodeSubnets[index]! }],
            opts,
        );
    });
    return { vpc, own: vpc, publicSubnets, nodeSubnets, natGateways: nats, ways: [...toInternet, ...throughNat] };
}
