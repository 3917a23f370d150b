/** A comment of the job's own account. */
export interface OwnComment {
    readonly id: number;
    readonly text: string;
}

/** The comments of the pull request that a job is of. */
export interface Forge {
    /** As people call it: `pull request 12 of owner/repository`. */
    readonly place: string;
    /** Those of the account whose token it is: what somebody else wrote is never changed. */
    own(): Promise<readonly OwnComment[]>;
    create(text: string): Promise<void>;
    update(id: number, text: string): Promise<void>;
}
