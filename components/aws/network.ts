import { InternetGateway } from "@pulumi/aws/ec2/internetGateway";
import { Route } from "@pulumi/aws/ec2/route";
import { RouteTable } from "@pulumi/aws/ec2/routeTable";
import { RouteTableAssociation } from "@pulumi/aws/ec2/routeTableAssociation";
import { Subnet } from "@pulumi/aws/ec2/subnet";
import { Vpc } from "@pulumi/aws/ec2/vpc";
import type * as pulumi from "@pulumi/pulumi";
import type { Aws } from "./resolve";
import { publicSubnet } from "./subnets";
import type { Tags } from "./tags";

export interface AwsNetwork {
    readonly vpc: Vpc;
    /** A public one for each zone, in the order of the zones. */
    readonly subnets: readonly Subnet[];
    /** What has to be there before anything in a subnet reaches the internet. */
    readonly ways: readonly pulumi.Resource[];
}

/** The cluster's own VPC, with a public subnet in each zone. */
export function createNetwork(
    name: string,
    { region, zones, vpcCidr }: Aws,
    tags: Tags,
    opts: pulumi.CustomResourceOptions,
): AwsNetwork {
    const vpc = new Vpc(
        name,
        { cidrBlock: vpcCidr.text, enableDnsSupport: true, enableDnsHostnames: true, tags: tags(name) },
        opts,
    );
    const gateway = new InternetGateway(name, { vpcId: vpc.id, tags: tags(name) }, opts);
    const table = new RouteTable(`${name}-public`, { vpcId: vpc.id, tags: tags(`${name}-public`) }, opts);
    const route = new Route(
        `${name}-internet`,
        { routeTableId: table.id, destinationCidrBlock: "0.0.0.0/0", gatewayId: gateway.id },
        opts,
    );
    const subnets = zones.map((zone) => {
        const resource = `${name}-public-${zone}`;
        return new Subnet(
            resource,
            {
                vpcId: vpc.id,
                availabilityZone: `${region}${zone}`,
                cidrBlock: publicSubnet(vpcCidr, zone),
                mapPublicIpOnLaunch: true,
                // Named by its instance's id: an address may come back to another instance, as the same node.
                privateDnsHostnameTypeOnLaunch: "resource-name",
                tags: { ...tags(resource), "kubernetes.io/role/elb": "1" },
            },
            opts,
        );
    });
    const associations = subnets.map(
        (subnet, index) =>
            new RouteTableAssociation(
                `${name}-public-${zones[index]}`,
                { subnetId: subnet.id, routeTableId: table.id },
                opts,
            ),
    );
    return { vpc, subnets, ways: [route, ...associations] };
}
