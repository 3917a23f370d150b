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

/** No supported cloud credentials were found, or they are for another account. */
export class NoAccess extends Error {
    override readonly name = "NoAccess";
}
