import type { Bucket } from "@pulumi/aws/s3/bucket";
import { BucketPublicAccessBlock } from "@pulumi/aws/s3/bucketPublicAccessBlock";
import { BucketServerSideEncryptionConfiguration } from "@pulumi/aws/s3/bucketServerSideEncryptionConfiguration";
import type * as pulumi from "@pulumi/pulumi";

/** Has a bucket encrypt what comes in, and closes it to the public: what has to be there before that. */
export function closeBucket(resource: string, bucket: Bucket, opts: pulumi.CustomResourceOptions): pulumi.Resource[] {
    const encryption = { applyServerSideEncryptionByDefault: { sseAlgorithm: "AES256" } };
    return [
        new BucketServerSideEncryptionConfiguration(resource, { bucket: bucket.id, rules: [encryption] }, opts),
        new BucketPublicAccessBlock(
            resource,
            {
                bucket: bucket.id,
                blockPublicAcls: true,
                blockPublicPolicy: true,
                ignorePublicAcls: true,
                restrictPublicBuckets: true,
            },
            opts,
        ),
    ];
}
