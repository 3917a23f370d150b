import { getVpc } from "@pulumi/digitalocean/getVpc";
import type { Vpc } from "@pulumi/digitalocean/vpc";
import * as pulumi from "@pulumi/pulumi";
import { plainError } from "../plain-error";

/** A region's default VPC, as far as it can be told. */
export interface DefaultVpc {
    /** The region itself, once it is known to have one. Rejects when it has none. */
    readonly region: pulumi.Output<string>;
    /** @default "" when nobody could tell */
    readonly id: pulumi.Output<string>;
}

/**
 * Looks a region's default VPC up, before the cluster's own is made.
 *
 * The first VPC of a region becomes its default, and DigitalOcean never deletes that: the cluster could not be destroyed, and
 * droplets of others that name no VPC would come into its network.
 */
export function findDefaultVpc(region: string, { parent }: pulumi.CustomResourceOptions): DefaultVpc {
    const asked = getVpc({ region }, { parent }).then(
        ({ id }) => id,
        (error: Error) => {
            if (error.message.includes("unable to find default VPC")) throw plainError(noDefaultVpc(region));
            // Whoever may not ask, or cannot, can still preview.
            pulumi.log.warn(`nobody could tell the default VPC of ${region}: ${error.message}`, parent);
            return "";
        },
    );
    const id = pulumi.output(asked);
    return { region: id.apply(() => region), id };
}

/** Warns of a cluster's VPC that is its region's default. */
export function warnOfDefaultVpc(vpc: Vpc, { id }: DefaultVpc, region: string): void {
    pulumi.all([vpc.id, id]).apply(([own, found]) => {
        if (own === found) pulumi.log.warn(isDefaultVpc(region, own), vpc);
    });
}

function noDefaultVpc(region: string): string {
    const legal = "one that has a default VPC";
    const why = "without one DigitalOcean would make the cluster's VPC the default, and delete it no more";
    return `region must be ${legal}, got ${region}: ${why}. To make one, which costs nothing: ${makeOne(region)}`;
}

function isDefaultVpc(region: string, id: string): string {
    const what = `the cluster's VPC is the default of ${region}, which DigitalOcean does not delete`;
    const how = `${makeOne(region)}, then doctl vpcs update ID --default=true, with the new one's id`;
    return `${what}. Before it is destroyed, make another one the default: ${how}. The cluster's is ${id}`;
}

const makeOne = (region: string) => `doctl vpcs create --name default-${region} --region ${region}`;
