import { text } from "../cloud/inputs";
import type { Simulated } from "../cloud/simulated";
import type { Properties } from "../plugin";
import type { Account } from "./account";

export const tagPattern = /^[A-Za-z0-9:_-]{1,255}$/;

/** A tag. */
export const tag: Simulated<Account> = {
    inputs: {
        rules: {
            name: text("letters, digits, colons, dashes and underscores", tagPattern, {
                isRequired: true,
                isFixed: true,
            }),
        },
        notSimulated: [],
    },
    outputs: [
        "databasesCount",
        "dropletsCount",
        "imagesCount",
        "totalResourceCount",
        "volumeSnapshotsCount",
        "volumesCount",
    ],
    async create(account: Account, { name }: Properties) {
        // Making one that is there succeeds.
        account.put("tags", String(name), { name: String(name) });
        return { id: String(name), outputs: { dropletsCount: 0, totalResourceCount: 0 } };
    },
    async delete(account: Account, id: string) {
        account.remove("tags", id);
    },
};
