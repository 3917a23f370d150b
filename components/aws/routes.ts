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
    /** What leads to the internet. @default nothing does */
    readonly to?: { readonly gatewayId: pulumi.Input<string> } | { readonly natGatewayId: pulumi.Input<string> };
    /** The same by IPv6. @default nothing does */
    readonly toByIpv6?:
        | { readonly gatewayId: pulumi.Input<string> }
        | { readonly egressOnlyGatewayId: pulumi.Input<string> };
    readonly tags: Tags;
}

export interface RoutedTable {
    readonly table: RouteTable;
    /** The route, and each subnet's part in it. */
    readonly ways: readonly pulumi.Resource[];
}

/** A route table whose subnets reach the internet through a gateway, or nothing but the VPC. */
export function createRoutes(
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
