import { Eip } from "@pulumi/aws/ec2/eip";
import { NatGateway } from "@pulumi/aws/ec2/natGateway";
import type { Subnet } from "@pulumi/aws/ec2/subnet";
import type * as pulumi from "@pulumi/pulumi";
import type { ZoneLetter } from "./subnets";
import type { Tags } from "./tags";

export interface NatGatewaysArgs {
    /** Those that get one, from the first on. */
    readonly zones: readonly ZoneLetter[];
    /** By the order of the zones. */
    readonly publicSubnets: readonly Subnet[];
    /** By which public subnets reach the internet. */
    readonly ways: readonly pulumi.Resource[];
    readonly tags: Tags;
}

/** By what private nodes reach the internet: with an address each that stays. */
export function createNatGateways(
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
