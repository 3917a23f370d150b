import { Tag } from "@pulumi/digitalocean/tag";
import { Vpc } from "@pulumi/digitalocean/vpc";
import type * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../cluster/model";
import { mustStay } from "../must-stay";
import type { DigitalOcean } from "./resolve";

export interface DigitalOceanNetwork {
    readonly vpc: Vpc;
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
    { region, vpcCidr, ingress }: DigitalOcean,
    opts: pulumi.CustomResourceOptions,
): DigitalOceanNetwork {
    const tag = (text: string) => new Tag(text, { name: text }, opts);
    const vpc = new Vpc(
        name,
        { name, region, ipRange: vpcCidr.text, description: "of a Tradewind cluster" },
        // Another one of these would be another VPC, and so another cluster.
        { ...opts, ignoreChanges: ["region", "ipRange"] },
    );
    mustStay("region", region, vpc.region.apply(String));
    mustStay("vpcCidr", vpcCidr.text, vpc.ipRange);
    return {
        vpc,
        nodeTag: tag(name),
        controllerTag: tag(`${name}-controller`),
        ...(ingress && { ingressTag: tag(`${name}-ingress`) }),
    };
}
