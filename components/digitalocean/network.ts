import { Tag } from "@pulumi/digitalocean/tag";
import { Vpc } from "@pulumi/digitalocean/vpc";
import type * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../cluster/model";
import { mustStay } from "../must-stay";
import { findDefaultVpc, warnOfDefaultVpc } from "./default-vpc";
import { deletionTimeouts } from "./deletion-timeouts";
import { findProject } from "./project";
import type { DigitalOcean } from "./resolve";
import { ownTags } from "./tags";

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
