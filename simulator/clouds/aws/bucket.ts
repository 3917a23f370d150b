import { listOf, oneOf, type Rule, required, text } from "../shared/inputs";
import { keptIn } from "../shared/s3/kept";
import type { Simulated } from "../shared/simulated";
import type { Account } from "./account";
import { tagsAlone } from "./network";
import { exactly, has, is, tags, yesOrNo } from "./rules";

const bucketName = /^(?!xn--)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const bucketRule = text("a bucket's name", bucketName, required);

export const bucket: Simulated<Account> = {
    inputs: { bucket: bucketRule, forceDestroy: yesOrNo, tags },
    autoName: "bucket",
    outputs: ["arn", "bucketDomainName", "bucketRegionalDomainName", "hostedZoneId"],
    async create(account, { bucket: name, forceDestroy = false }) {
        if (account.resources.buckets[String(name)] || account.state.foreignBuckets?.includes(String(name))) {
            throw new Error(`BucketAlreadyExists: The requested bucket name is not available: ${name}`);
        }
        account.put("buckets", String(name), { name: String(name), isForced: Boolean(forceDestroy) });
        return { id: String(name), outputs: { arn: `arn:aws:s3:::${name}` } };
    },
    async update(account, name, { forceDestroy = false }) {
        account.put("buckets", name, { name, isForced: Boolean(forceDestroy) });
        return undefined;
    },
    async delete(account, name) {
        const inside = Object.entries(account.resources.objects).filter(([, each]) => each.bucket === name);
        if (inside.length > 0 && !account.find("buckets", name).isForced) {
            throw new Error(`BucketNotEmpty: The bucket you tried to delete is not empty: ${name}`);
        }
        for (const [id] of inside) {
            keptIn(account.path).remove(id);
            account.remove("objects", id);
        }
        account.remove("buckets", name);
    },
};

export const bucketEncryption: Simulated<Account> = {
    inputs: {
        bucket: bucketRule,
        rules: listOf(
            "rules of AES256, or of aws:kms with a key and a bucket key",
            (value: unknown) =>
                has(value, {
                    applyServerSideEncryptionByDefault: (each) => has(each, { sseAlgorithm: is("AES256") }),
                }) ||
                has(value, {
                    applyServerSideEncryptionByDefault: (each) =>
                        has(each, {
                            sseAlgorithm: is("aws:kms"),
                            kmsMasterKeyId: (key) => /^arn:aws:kms:/.test(String(key)),
                        }),
                    bucketKeyEnabled: is(true),
                }),
            required,
        ),
    },
    ...settingOfBucket("bucketEncryptions"),
};

const closed = oneOf([true], required);
/** Of a bucket that everyone may read. */
const yes = oneOf([true, false], required);

export const bucketPublicAccessBlock: Simulated<Account> = {
    inputs: {
        bucket: bucketRule,
        blockPublicAcls: closed,
        blockPublicPolicy: yes,
        ignorePublicAcls: closed,
        restrictPublicBuckets: yes,
    },
    outputs: [],
    async create(account, { bucket: name, blockPublicPolicy, restrictPublicBuckets }) {
        account.find("buckets", name);
        const isOpen = !blockPublicPolicy && !restrictPublicBuckets;
        account.put("publicAccessBlocks", String(name), { name: String(name), isOpen });
        return { id: String(name) };
    },
    update: tagsAlone,
    async delete(account, name) {
        account.remove("publicAccessBlocks", name);
    },
};

/** Without a block that is open, S3 refuses a policy that lets everyone read. */
export const bucketPolicy: Simulated<Account> = {
    inputs: {
        bucket: bucketRule,
        policy: {
            legal: "a policy that lets everyone get objects of the bucket",
            isLegal: (value: unknown) => readableObjects(String(value)) !== undefined,
            isRequired: true,
        },
    },
    outputs: [],
    async create(account, { bucket: name, policy }) {
        account.find("buckets", name);
        if (!account.resources.publicAccessBlocks[String(name)]?.isOpen) {
            throw new Error(
                "AccessDenied: public policies are blocked by the BlockPublicPolicy block public access setting.",
            );
        }
        account.put("bucketPolicies", String(name), { name: String(name), policy: String(policy) });
        return { id: String(name) };
    },
    async update(account, name, { policy }) {
        account.put("bucketPolicies", name, { name, policy: String(policy) });
        return undefined;
    },
    async delete(account, name) {
        account.remove("bucketPolicies", name);
    },
};

/** ARNs of objects that a bucket's policy lets everyone get. */
export function readableObjects(policy: string): string[] | undefined {
    try {
        const { Version, Statement } = JSON.parse(policy);
        const isFine = (each: Record<string, unknown>) =>
            each.Effect === "Allow" && each.Principal === "*" && each.Action === "s3:GetObject";
        return Version === "2012-10-17" && Statement.every(isFine)
            ? Statement.flatMap(({ Resource }: { Resource: string | string[] }) => Resource)
            : undefined;
    } catch {
        return undefined;
    }
}

/** Settings of a bucket, at most one of each. */
function settingOfBucket(kind: "bucketEncryptions"): Omit<Simulated<Account>, "inputs"> {
    return {
        outputs: [],
        async create(account, { bucket: name }) {
            account.find("buckets", name);
            account.put(kind, String(name), { name: String(name) });
            return { id: String(name) };
        },
        update: tagsAlone,
        async delete(account, name) {
            account.remove(kind, name);
        },
    };
}

/** AWS allows at most ten tags on objects. */
const objectTags: Rule = {
    legal: "at most 10 tags",
    isLegal: (value: unknown) => tags.isLegal(value as never) && Object.keys(value as object).length <= 10,
};

/** An object; its content is in the account's file, which only its owner can read. */
export const bucketObject: Simulated<Account> = {
    inputs: {
        bucket: bucketRule,
        key: text("a key of at most 1024 bytes", /^[^/].{0,1023}$/s, required),
        content: { legal: "a text", isLegal: (value: unknown) => typeof value === "string", isRequired: true },
        contentType: text("a media type", /^[\w.+-]+\/[\w.+-]+$/),
        serverSideEncryption: oneOf(["AES256"], required),
        tags: objectTags,
        // The provider's default tags count too, but the stack does not know them.
        overrideProvider: exactly(
            { defaultTags: (each) => has(each, { tags: (none) => Object.keys(none as object).length === 0 }) },
            required,
        ),
    },
    outputs: ["arn", "versionId"],
    async create(account, inputs) {
        const [name, key] = [String(inputs.bucket), String(inputs.key)];
        account.find("buckets", name);
        const id = `${name}/${key}`;
        account.put("objects", id, { name: id, bucket: name, key, content: String(inputs.content) });
        return { id, outputs: { arn: `arn:aws:s3:::${id}` } };
    },
    async update(account, id, { content }) {
        account.put("objects", id, { ...account.find("objects", id), content: String(content) });
        return undefined;
    },
    async delete(account, id) {
        account.remove("objects", id);
    },
};
