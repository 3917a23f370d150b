/** What every resource has. */
export interface Named {
    readonly name: string;
}

export type Tags = Readonly<Record<string, string>>;

/** What policies tell apart by its tags. */
export interface Tagged extends Named {
    /** @default none */
    readonly tags?: Tags;
}

/** What something in a cluster may make, too. */
export interface Made extends Tagged {
    /** Name of the role that did. @default a stack did */
    readonly madeBy?: string;
}
