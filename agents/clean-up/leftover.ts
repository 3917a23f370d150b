/** A cloud resource that a cluster's own controllers created. */
export interface Leftover {
    /** Type and name: `load balancer a1b2`. Stable across calls. */
    readonly words: string;
    /** Whether it holds data that exists nowhere else. @default false */
    readonly isVolume?: boolean;
    /** Requests its deletion. An error may be transient while a dependent resource is being deleted. */
    readonly remove: () => Promise<void>;
}

/** Access to a cloud as the user who destroys the cluster. */
export interface CloudAccess {
    /** Everything that the cluster's controllers created and that still exists, in order of deletion. */
    readonly find: () => Promise<readonly Leftover[]>;
}

/** Where a cluster's controllers created resources, and how to distinguish them from the stack's. */
export type CloudPlace = AwsPlace | DigitalOceanPlace;

export interface AwsPlace {
    readonly kind: "aws";
    readonly region: string;
    readonly vpcId: string;
    /** On all resources of the cluster, with the value `owned`. */
    readonly clusterTag: string;
    /** On all resources of the stack. */
    readonly ownTag: string;
}

export interface DigitalOceanPlace {
    readonly kind: "digitalocean";
    readonly vpcId: string;
    /** On the cluster's droplets and volumes. */
    readonly tag: string;
    /** Names of the stack's own load balancers. */
    readonly ownLoadBalancers: readonly string[];
    /** Prefix of the volume names of the driver. */
    readonly volumePrefix: string;
}

/** No supported cloud credentials were found, or they are for another account. */
export class NoAccess extends Error {
    override readonly name = "NoAccess";
}
