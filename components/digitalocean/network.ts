import { getVpc } from "@pulumi/digitalocean/getVpc";
import { Tag } from "@pulumi/digitalocean/tag";
import { Vpc } from "@pulumi/digitalocean/vpc";
import * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../../cluster/model";
import { mustStay, plainError } from "../pulumi/errors";
import { findProject, ownTags } from "./project";
import type { DigitalOcean } from "./resolve";

export interface DigitalOceanNetwork {
    readonly vpc: Vpc;
    /**
     * In which load balancers are made: with each change of one Pulumi's provider says it again.
     * @default the account's default project
     */
    readonly projectId?: pulumi.Output<string>;
    /** On every droplet of the cluster. */
    readonly nodeTag: Tag;
    /** On its controllers. */
    readonly controllerTag: Tag;
    /** On workers that take ingress. @default none does */
    readonly ingressTag?: Tag;
}

/** The cluster's own private network, and the tags by which its firewalls know droplets. */
export function createNetwork(
    { name }: Cluster,
    { region, vpcCidr, ingress, project }: DigitalOcean,
    opts: pulumi.CustomResourceOptions,
): DigitalOceanNetwork {
    const projectId = findProject(project, opts);
    const own = ownTags(name);
    const tag = (text: string) => new Tag(text, { name: text }, opts);
    const defaultVpc = findDefaultVpc(region, opts);
    const vpc = new Vpc(
        name,
        { name, region: defaultVpc.region, ipRange: vpcCidr.text, description: "of a Tradewind cluster" },
        // Another one of these would be another VPC, and so another cluster.
        { ...opts, ignoreChanges: ["region", "ipRange"], customTimeouts: deletionTimeouts },
    );
    warnOfDefaultVpc(vpc, defaultVpc, region);
    mustStay("region", region, vpc.region.apply(String));
    mustStay("vpcCidr", vpcCidr.text, vpc.ipRange);
    return {
        vpc,
        ...(projectId && { projectId }),
        nodeTag: tag(own.nodes),
        controllerTag: tag(own.controllers),
        ...(ingress && { ingressTag: tag(own.ingress) }),
    };
}

/** A region's default VPC, as far as it can be told. */
interface DefaultVpc {
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
function findDefaultVpc(region: string, { parent }: pulumi.CustomResourceOptions): DefaultVpc {
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
function warnOfDefaultVpc(vpc: Vpc, { id }: DefaultVpc, region: string): void {
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

/**
 * How long a droplet or a VPC may take to be deleted.
 *
 * The provider's default for a droplet is 60 seconds, 34 of which it waits itself; a kubelet alone takes up to 50 to end its pods.
 * A deletion that runs out of time leaves a droplet in the state that no longer exists, which the next destroy cannot delete.
 * Its default for a VPC is 2 minutes, for which a VPC may still count members that are deleted.
 */
export const deletionTimeouts: pulumi.CustomTimeouts = { delete: "15m" };
