import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Properties } from "../../plugins/protocol/serve";
import { listOf, oneOf, required, text } from "../shared/inputs";
import { keptIn } from "../shared/s3/kept";
import type { Simulated } from "../shared/simulated";
import type { Account } from "./account";
import { regions } from "./offers";

/** A bucket of Spaces; objects are put by its API. */
export const spacesBucket: Simulated<Account> = {
    inputs: {
        name: text(
            "3 to 63 lower-case letters, digits and dashes, none of these at either end",
            /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/,
            required,
        ),
        region: oneOf(regions, required),
        acl: oneOf(["private", "public-read"]),
        forceDestroy: oneOf([true, false]),
    },
    outputs: ["bucketDomainName", "bucketUrn", "endpoint"],
    async create(account: Account, { name, region, forceDestroy }: Properties) {
        const created = { name: String(name), region: String(region), isForced: forceDestroy === true };
        const isTaken = Object.values(account.resources.spacesBuckets).some(
            (each) => each.name === created.name && each.region === created.region,
        );
        if (isTaken) throw new Error(`BucketAlreadyExists: ${name} in ${region}`);
        account.put("spacesBuckets", created.name, created);
        const endpoint = `${created.region}.digitaloceanspaces.com`;
        const outputs = { bucketDomainName: `${name}.${endpoint}`, bucketUrn: `do:space:${name}`, endpoint };
        return { id: created.name, outputs };
    },
    async update(account: Account, id: string, { forceDestroy }: Properties) {
        account.change("spacesBuckets", id, (now) => ({ ...now, isForced: forceDestroy === true }));
        return undefined;
    },
    async delete(account: Account, id: string) {
        const user = Object.values(account.resources.spacesKeys).find(({ buckets }) => buckets.includes(id));
        if (user)
            throw new Error(
                `the simulator does not delete a bucket while a key that could write to it exists: ${user.name}`,
            );
        const inside = Object.values(account.resources.spacesObjects).filter(({ bucket }) => bucket === id);
        if (inside.length > 0 && !account.resources.spacesBuckets[id]?.isForced) {
            throw new Error(`BucketNotEmpty: ${id}`);
        }
        for (const { name } of inside) {
            keptIn(account.path).remove(name);
            account.remove("spacesObjects", name);
        }
        account.remove("spacesBuckets", id);
    },
};

interface Grant {
    readonly bucket?: unknown;
    readonly permission?: unknown;
}

const permissions = ["read", "readwrite", "fullaccess"];

/** A key of Spaces for some of its buckets. */
export const spacesKey: Simulated<Account> = {
    inputs: {
        name: text("a name of at most 90 characters", /^.{1,90}$/, required),
        grants: listOf("grants of a bucket with read or readwrite, or of none with fullaccess", isGrant),
    },
    outputs: ["accessKey", "createdAt", "secretKey"],
    async create(account: Account, { name, grants = [] }: Properties) {
        const buckets = (grants as Grant[]).map(({ bucket }) => String(bucket)).filter(Boolean);
        const missing = buckets.find((bucket) => !account.resources.spacesBuckets[bucket]);
        if (missing) throw new Error(`grants must be of existing buckets (got ${missing})`);
        const accessKey = `DO00${randomBytes(8).toString("hex").toUpperCase()}`;
        const secretKey = randomBytes(32).toString("base64url");
        const given = (grants as Grant[]).map(({ bucket, permission }) => ({
            ...(bucket ? { bucket: String(bucket) } : {}),
            permission: String(permission),
        }));
        account.put("spacesKeys", accessKey, { name: String(name), buckets, secretKey, grants: given });
        return { id: accessKey, outputs: { accessKey, secretKey, createdAt: new Date().toISOString() } };
    },
    async update(account: Account, id: string, { name, grants }: Properties, before?: Properties) {
        if (!isDeepStrictEqual(grants, before?.grants)) throw new Error("other grants of a key are not simulated");
        account.change("spacesKeys", id, (now) => ({ ...now, name: String(name) }));
        return undefined;
    },
    async delete(account: Account, id: string) {
        account.remove("spacesKeys", id);
    },
};

function isGrant({ bucket, permission }: Grant): boolean {
    const isWhole = permission === "fullaccess";
    return permissions.includes(String(permission)) && typeof bucket === "string" && (bucket === "") === isWhole;
}
