/** Common to all resources. */
export interface Named {
    readonly name: string;
}

export type Tags = Readonly<Record<string, string>>;

/** Tags, as used by policies. */
export interface Tagged extends Named {
    /** @default none */
    readonly tags?: Tags;
}

/** A resource that something in a cluster may create as well. */
export interface Created extends Tagged {
    /** Name of the role that created it. @default created by a stack */
    readonly createdBy?: string;
}

/** Simulated seconds until services know what is new, and until a volume is detached. */
export interface Delays {
    /** EC2 knows an instance profile. @default 10, as often measured */
    readonly profile?: number;
    /** A policy takes effect. @default 5 */
    readonly policy?: number;
    /** EC2 describes a new resource. @default 2 */
    readonly read?: number;
    /** @default 15 */
    readonly detach?: number;
    /** EC2 terminates an instance; its volumes are detached by then. @default 30 */
    readonly terminate?: number;
}

/** What EC2 has no capacity for. */
export interface Lack {
    /** A zone's letter. */
    readonly zone: string;
    /** @default every type */
    readonly instanceType?: string;
    /** In simulated milliseconds. @default it stays so */
    readonly until?: number;
}
