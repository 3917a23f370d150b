import { Route } from "@pulumi/aws/ec2/route";
import { RouteTable } from "@pulumi/aws/ec2/routeTable";
import { RouteTableAssociation } from "@pulumi/aws/ec2/routeTableAssociation";
import type { Subnet } from "@pulumi/aws/ec2/subnet";
import type { Vpc } from "@pulumi/aws/ec2/vpc";
import type * as pulumi from "@pulumi/pulumi";
import type { Tags } from "./tags";

export interface RouteArgs {
    readonly name: string;
    /** Name of the route table. */
    readonly table: string;
    readonly vpc: Vpc;
    /** What leads to the internet. */
    readonly to: { readonly gatewayId: pulumi.Input<string> } | { readonly natGatewayId: pulumi.Input<string> };
    readonly tags: Tags;
}

/** A route table whose subnets reach the internet through a gateway; the route, and each subnet's part in it. */
export function createRoute(
    { name, table: called, vpc, to, tags }: RouteArgs,
    members: readonly { readonly name: string; readonly subnet: Subnet }[],
    opts: pulumi.CustomResourceOptions,
): pulumi.Resource[] {
    const table = new RouteTable(called, { vpcId: vpc.id, tags: tags(called) }, opts);
    const everywhere = { routeTableId: table.id, destinationCidrBlock: "0.0.0.0/0" };
    return [
        new Route(`${name}-internet`, { ...everywhere, ...to }, opts),
        ...members.map(
            (each) => new RouteTableAssociation(each.name, { subnetId: each.subnet.id, routeTableId: table.id }, opts),
        ),
    ];
}
