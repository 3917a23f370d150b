/** Something that a cluster's own controllers made in the cloud, as the cloud tells of it. */
export interface Leftover {
    /** What it is and which: `load balancer a1b2`. The same each time. */
    readonly words: string;
    /** Whether it holds data, which nobody has anywhere else. @default false */
    readonly isVolume?: boolean;
    /** Asks the cloud to delete it. An error may pass: somebody else's end is waited for. */
    readonly remove: () => Promise<void>;
}

/** A cloud, asked as the person is who destroys the cluster. */
export interface CloudAccess {
    /** All that the cluster's controllers made and that is there, in the order in which it goes. */
    readonly find: () => Promise<readonly Leftover[]>;
}

/** Where a cluster's controllers made things, and how to tell them from what the stack made there. */
export type CloudPlace = AwsPlace | DigitalOceanPlace;

export interface AwsPlace {
    readonly kind: "aws";
    readonly region: string;
    readonly vpcId: string;
    /** On all that is the cluster's, with the value `owned`. */
    readonly clusterTag: string;
    /** On all that the stack made. */
    readonly ownTag: string;
}

export interface DigitalOceanPlace {
    readonly kind: "digitalocean";
    readonly vpcId: string;
    /** On the cluster's droplets and volumes. */
    readonly tag: string;
    /** Names of the stack's own load balancers. */
    readonly ownLoadBalancers: readonly string[];
    /** What names of the driver's volumes begin with. */
    readonly volumePrefix: string;
}

/** Who destroys has no access to the cloud that this program knows of, or one to another account. */
export class NoAccess extends Error {
    override readonly name = "NoAccess";
}
