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
export interface Made extends Tagged {
    /** Name of the role that created it. @default created by a stack */
    readonly madeBy?: string;
}
