/** What may be done with an object, or with the list of them. */
export type S3Action = "s3:GetObject" | "s3:PutObject" | "s3:DeleteObject" | "s3:ListBucket";

/** Buckets as a caller has them. */
export interface Store {
    readonly region: string;
    /** Whether there is a bucket of this name. */
    readonly hasBucket: (bucket: string) => boolean;
    /** Whether the caller may do that; of a list to the bucket, of keys that begin so. */
    readonly may: (
        action: S3Action,
        bucket: string,
        of?: { readonly key?: string; readonly prefix?: string },
    ) => boolean;
    readonly read: (bucket: string, key: string) => Buffer | undefined;
    readonly write: (bucket: string, key: string, body: Buffer) => void;
    readonly remove: (bucket: string, key: string) => void;
    readonly keys: (bucket: string) => readonly string[];
}
