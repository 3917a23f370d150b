import { randomBytes } from "node:crypto";
import { listOf, text } from "../cloud/inputs";
import type { Simulated } from "../cloud/simulated";
import type { Properties } from "../plugin";
import type { Account } from "./account";

interface Grant {
    readonly bucket?: unknown;
    readonly permission?: unknown;
}

const permissions = ["read", "readwrite", "fullaccess"];

/** A key of Spaces for some of its buckets. */
export const spacesKey: Simulated<Account> = {
    inputs: {
        rules: {
            name: text("a name of at most 90 characters", /^.{1,90}$/, { isRequired: true }),
            grants: listOf("grants of a bucket with read or readwrite, or of none with fullaccess", isGrant),
        },
        notSimulated: [],
    },
    outputs: ["accessKey", "createdAt", "secretKey"],
    async create(account: Account, { name, grants = [] }: Properties) {
        const buckets = (grants as Grant[]).map(({ bucket }) => String(bucket)).filter(Boolean);
        const missing = buckets.find((bucket) => !account.resources.spacesBuckets[bucket]);
        if (missing) throw new Error(`grants must be of buckets that are there, got ${missing}`);
        const accessKey = `DO00${randomBytes(8).toString("hex").toUpperCase()}`;
        const secretKey = randomBytes(32).toString("base64url");
        const given = (grants as Grant[]).map(({ bucket, permission }) => ({
            ...(bucket ? { bucket: String(bucket) } : {}),
            permission: String(permission),
        }));
        account.put("spacesKeys", accessKey, { name: String(name), buckets, secretKey, grants: given });
        return { id: accessKey, outputs: { accessKey, secretKey, createdAt: new Date().toISOString() } };
    },
    async delete(account: Account, id: string) {
        account.remove("spacesKeys", id);
    },
};

function isGrant({ bucket, permission }: Grant): boolean {
    const isWhole = permission === "fullaccess";
    return permissions.includes(String(permission)) && typeof bucket === "string" && (bucket === "") === isWhole;
}
