import { OpenIdConnectProvider } from "@pulumi/aws/iam/openIdConnectProvider";
import { Bucket } from "@pulumi/aws/s3/bucket";
import { BucketObjectv2 } from "@pulumi/aws/s3/bucketObjectv2";
import { BucketPolicy } from "@pulumi/aws/s3/bucketPolicy";
import { BucketPublicAccessBlock } from "@pulumi/aws/s3/bucketPublicAccessBlock";
import * as pulumi from "@pulumi/pulumi";
import { serviceUrl } from "../../../clients/aws/query";
import { issuerDocuments, issuerPaths, requireIssuerUrl } from "../../../cluster/keys/issuers";
import { conflictsWith, requireMatch, requires } from "../../../cluster/validate";
import type { AwsAccount } from "../account";
import type { TokenIssuer } from "../model";
import type { AwsServiceAccountRolesOptions } from "../options";
import { type Tags, withoutDefaultTags } from "../tags";

/** Who the tokens of pods are for: AWS' security token service. */
export const tokenAudience = "sts.amazonaws.com";

/** Throws `serviceAccountRoles... must be <legal> (got <value>)`. */
export function requireTokenIssuer(
    { bucket, issuerUrl, issuing = true }: AwsServiceAccountRolesOptions,
    region: string,
): TokenIssuer {
    const option = "serviceAccountRoles";
    if ((bucket === undefined) === (issuerUrl === undefined)) {
        if (bucket === undefined) throw requires(option, "bucket or issuerUrl");
        throw conflictsWith(`${option}.bucket`, `${option}.issuerUrl`, bucket);
    }
    if (bucket === undefined) return { url: requireIssuerUrl(`${option}.issuerUrl`, issuerUrl!), issuing };
    const legal = "3 to 63 lower-case letters, digits and dashes, without a dash at either end";
    requireMatch(`${option}.bucket`, /^(?!xn--)[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/, legal, bucket);
    return { bucket, url: serviceUrl("s3", region).replace("://", `://${bucket}.`), issuing };
}

interface TokenIssuerArgs {
    readonly issuer: TokenIssuer;
    /** PEM of all accepted keys. */
    readonly publicKeys: pulumi.Output<string>;
    readonly account: Pick<AwsAccount, "ofBucket">;
    readonly tags: Tags;
}

/** What makes AWS trust tokens of the cluster's service accounts. */
export interface TrustedIssuer {
    readonly provider: OpenIdConnectProvider;
    /** By path below the issuer's URL. */
    readonly documents: pulumi.Output<Record<string, string>>;
}

/** Publishes the issuer's keys, unless the user does, and has IAM trust it. */
export function createTokenIssuer(
    cluster: string,
    { issuer, publicKeys, account, tags }: TokenIssuerArgs,
    opts: pulumi.CustomResourceOptions,
): TrustedIssuer {
    const name = `${cluster}-issuer`;
    const documents = publicKeys.apply((keys) => issuerDocuments(issuer.url, keys));
    const objects = issuer.bucket ? publish(name, issuer.bucket, { documents, account, tags }, opts) : [];
    const provider = new OpenIdConnectProvider(
        name,
        { url: issuer.url, clientIdLists: [tokenAudience], tags: tags(name) },
        { ...opts, dependsOn: objects },
    );
    return { provider, documents };
}

/** A bucket whose two objects everyone may read, and nothing else. */
function publish(
    name: string,
    called: string,
    {
        documents,
        account,
        tags,
    }: Pick<TokenIssuerArgs, "account" | "tags"> & { readonly documents: pulumi.Output<Record<string, string>> },
    opts: pulumi.CustomResourceOptions,
): BucketObjectv2[] {
    const isNew = account.ofBucket("serviceAccountRoles.bucket", called);
    const bucket = new Bucket(
        name,
        { bucket: called, forceDestroy: true, tags: tags(name) },
        pulumi.mergeOptions(opts, isNew),
    );
    const access = new BucketPublicAccessBlock(
        name,
        {
            bucket: bucket.id,
            blockPublicAcls: true,
            blockPublicPolicy: false,
            ignorePublicAcls: true,
            restrictPublicBuckets: false,
        },
        opts,
    );
    const policy = new BucketPolicy(
        name,
        { bucket: bucket.id, policy: bucket.arn.apply(readableByAll) },
        { ...opts, dependsOn: [access] },
    );
    return issuerPaths.map(
        (path) =>
            new BucketObjectv2(
                `${name}-${path.split("/").at(-1)}`,
                {
                    bucket: bucket.id,
                    key: path,
                    content: documents.apply((all) => all[path]!),
                    contentType: "application/json",
                    serverSideEncryption: "AES256",
                    overrideProvider: withoutDefaultTags,
                    tags: tags(name),
                },
                { ...opts, dependsOn: [policy] },
            ),
    );
}

function readableByAll(arn: string): string {
    const Resource = issuerPaths.map((path) => `${arn}/${path}`);
    return JSON.stringify({
        Version: "2012-10-17",
        Statement: [{ Effect: "Allow", Principal: "*", Action: "s3:GetObject", Resource }],
    });
}
