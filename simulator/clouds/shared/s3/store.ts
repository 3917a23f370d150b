/** An operation on an object, or on the list of objects. */
export type S3Action = "s3:GetObject" | "s3:PutObject" | "s3:DeleteObject" | "s3:ListBucket";

/** Buckets as seen by a caller. */
export interface Store {
    readonly region: string;
    /** Whether a bucket of this name exists. */
    readonly hasBucket: (bucket: string) => boolean;
    /** Whether the caller may perform the operation; listing applies to the bucket, or to keys with a prefix. */
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
