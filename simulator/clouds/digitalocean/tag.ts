import type { Properties } from "../../plugins/protocol/serve";
import { required, text } from "../shared/inputs";
import type { Simulated } from "../shared/simulated";
import type { Account } from "./account";
import { applyFirewalls } from "./firewall";
import { tagPattern } from "./project-resources";

/** A tag. */
export const tag: Simulated<Account> = {
    inputs: {
        name: text("letters, digits, colons, dashes and underscores", tagPattern, required),
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
        // Creating an existing tag succeeds.
        account.put("tags", String(name), { name: String(name) });
        return { id: String(name), outputs: { dropletsCount: 0, totalResourceCount: 0 } };
    },
    async delete(account: Account, id: string) {
        account.remove("tags", id);
        // Deleting a tag removes it from everything that has it, so that no firewall applies any more.
        const { droplets, volumes } = account.resources;
        const without = (tags: readonly string[] = []) => tags.filter((each) => each !== id);
        for (const [each, { tags }] of Object.entries(droplets)) {
            if (!tags.includes(id)) continue;
            account.change("droplets", each, (now) => ({ ...now, tags: without(tags) }));
        }
        for (const [each, { tags }] of Object.entries(volumes)) {
            account.change("volumes", each, (now) => ({ ...now, tags: without(tags) }));
        }
        await applyFirewalls(account);
    },
};
