import { InternetGateway } from "@pulumi/aws/ec2/internetGateway";
import type { NatGateway } from "@pulumi/aws/ec2/natGateway";
import { Subnet } from "@pulumi/aws/ec2/subnet";
import { Vpc } from "@pulumi/aws/ec2/vpc";
import type * as pulumi from "@pulumi/pulumi";
import { createNatGateways } from "./nat-gateways";
import type { Aws } from "./resolve";
import { createRoute } from "./routes";
import { privateSubnet, publicSubnet, type ZoneLetter } from "./subnets";
import type { Tags } from "./tags";

export interface AwsNetwork {
    readonly vpc: Vpc;
    /** A public one for each zone, in the order of the zones. */
    readonly publicSubnets: readonly Subnet[];
    /** Where nodes are: those, or a private one for each zone. */
    readonly nodeSubnets: readonly Subnet[];
    /** By which private nodes get out, by their zone. */
    readonly natGateways: Partial<Record<ZoneLetter, NatGateway>>;
    /** What has to be there before anything in a subnet reaches the internet. */
    readonly ways: readonly pulumi.Resource[];
}

/** The cluster's own VPC, with a public subnet in each zone, and a private one where nodes are private. */
export function createNetwork(name: string, aws: Aws, tags: Tags, opts: pulumi.CustomResourceOptions): AwsNetwork {
    const { region, zones, vpcCidr, topology, natGateways } = aws;
    const vpc = new Vpc(
        name,
        { cidrBlock: vpcCidr.text, enableDnsSupport: true, enableDnsHostnames: true, tags: tags(name) },
        opts,
    );
    const gateway = new InternetGateway(name, { vpcId: vpc.id, tags: tags(name) }, opts);
    const create = (kind: "public" | "private", zone: ZoneLetter) => {
        const resource = `${name}-${kind}-${zone}`;
        const isPublic = kind === "public";
        return new Subnet(
            resource,
            {
                vpcId: vpc.id,
                availabilityZone: `${region}${zone}`,
                cidrBlock: isPublic ? publicSubnet(vpcCidr, zone) : privateSubnet(vpcCidr, zone),
                mapPublicIpOnLaunch: isPublic,
                // Named by its instance's id: an address may come back to another instance, as the same node.
                privateDnsHostnameTypeOnLaunch: "resource-name",
                tags: { ...tags(resource), [`kubernetes.io/role/${isPublic ? "elb" : "internal-elb"}`]: "1" },
            },
            opts,
        );
    };
    const publicSubnets = zones.map((zone) => create("public", zone));
    const toInternet = createRoute(
        { name, table: `${name}-public`, vpc, to: { gatewayId: gateway.id }, tags },
        zones.map((zone, index) => ({ name: `${name}-public-${zone}`, subnet: publicSubnets[index]! })),
        opts,
    );
    if (topology === "public") {
        return { vpc, publicSubnets, nodeSubnets: publicSubnets, natGateways: {}, ways: toInternet };
    }
    const nodeSubnets = zones.map((zone) => create("private", zone));
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
    return { vpc, publicSubnets, nodeSubnets, natGateways: nats, ways: [...toInternet, ...throughNat] };
}
