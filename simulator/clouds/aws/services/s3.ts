import { type Answer, type Api, type Asked, isCaller, type Who } from "../../services/service";
import { type S3Action, type Store, s3Answer } from "../../shared/s3/answer";
import { keptIn } from "../../shared/s3/kept";
import type { Account } from "../account";
import { readableObjects } from "../bucket";
import { mayRole } from "../policy";

const endpoint = /s3\.(?:dualstack\.)?[a-z0-9-]+\.amazonaws\.com$/;

/** The account's buckets and objects, for roles with permission. */
export const s3: Api<Account> = { hosts: new RegExp(`^(.+\\.)?${endpoint.source}`), answer };

function answer(account: Account, asked: Asked, { caller }: Who): Answer {
    return s3Answer(asked, storeFor(account, isCaller(caller) ? caller.role : ""), caller, endpoint);
}

function isReadableByAll({ resources }: Account, bucket: string, arn: string): boolean {
    const { policy } = resources.bucketPolicies[bucket] ?? {};
    return policy !== undefined && (readableObjects(policy) ?? []).includes(arn);
}

function storeFor(account: Account, role: string): Store {
    const { region } = account.state;
    const { buckets, objects } = account.resources;
    const kept = keptIn(account.path);
    const idOf = (bucket: string, key: string) => `${bucket}/${key}`;
    return {
        region,
        hasBucket: (bucket) => buckets[bucket] !== undefined,
        may(action: S3Action, bucket, { key, prefix } = {}) {
            const arn = `arn:aws:s3:::${bucket}${key === undefined ? "" : `/${key}`}`;
            if (action === "s3:GetObject" && isReadableByAll(account, bucket, arn)) return true;
            return mayRole(account, role, action, arn, prefix === undefined ? {} : { "s3:prefix": prefix });
        },
        read(bucket, key) {
            const found = objects[idOf(bucket, key)];
            return found && (found.isKept ? kept.read(found.name) : Buffer.from(found.content));
        },
        write(bucket, key, body) {
            const id = idOf(bucket, key);
            kept.write(id, body);
            account.put("objects", id, { name: id, bucket, key, content: "", isKept: true });
        },
        remove(bucket, key) {
            kept.remove(idOf(bucket, key));
            account.remove("objects", idOf(bucket, key));
        },
        keys: (bucket) => Object.values(objects).flatMap((each) => (each.bucket === bucket ? each.key : [])),
    };
}
