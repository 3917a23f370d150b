import { oneOf, text } from "../cloud/inputs";
import { keptIn } from "../cloud/s3/kept";
import type { Simulated } from "../cloud/simulated";
import type { Properties } from "../plugin";
import type { Account } from "./account";
import { regions } from "./offers";

/** A bucket of Spaces, whose objects are put by its API. */
export const spacesBucket: Simulated<Account> = {
    inputs: {
        rules: {
            name: text(
                "3 to 63 lower-case letters, digits and dashes, none of these at either end",
                /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/,
                { isRequired: true, isFixed: true },
            ),
            region: oneOf(regions, { isRequired: true, isFixed: true }),
            acl: oneOf(["private", "public-read"]),
            forceDestroy: oneOf([true, false]),
        },
        notSimulated: ["corsRules", "lifecycleRules", "versioning"],
    },
    outputs: ["bucketDomainName", "bucketUrn", "endpoint"],
    async create(account: Account, { name, region, forceDestroy }: Properties) {
        const made = { name: String(name), region: String(region), isForced: forceDestroy === true };
        const isTaken = Object.values(account.resources.spacesBuckets).some(
            (each) => each.name === made.name && each.region === made.region,
        );
        if (isTaken) throw new Error(`BucketAlreadyExists: ${name} in ${region}`);
        account.put("spacesBuckets", made.name, made);
        const endpoint = `${made.region}.digitaloceanspaces.com`;
        const outputs = { bucketDomainName: `${name}.${endpoint}`, bucketUrn: `do:space:${name}`, endpoint };
        return { id: made.name, outputs };
    },
    async update(account: Account, id: string, { forceDestroy }: Properties) {
        account.change("spacesBuckets", id, (now) => ({ ...now, isForced: forceDestroy === true }));
        return undefined;
    },
    async delete(account: Account, id: string) {
        const user = Object.values(account.resources.spacesKeys).find(({ buckets }) => buckets.includes(id));
        if (user)
            throw new Error(`the simulator keeps a bucket that a key is for, which would write to it: ${user.name}`);
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
