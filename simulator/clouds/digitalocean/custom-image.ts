import { setTimeout as sleep } from "node:timers/promises";
import type { Properties } from "../../plugins/protocol/serve";
import { met } from "../shared/behaviours";
import { listOf, oneOf, required, text } from "../shared/inputs";
import type { Simulated } from "../shared/simulated";
import type { Account } from "./account";
import { regions } from "./offers";

const distributions = ["CoreOS", "Debian", "Fedora", "Ubuntu", "Unknown"];
const importable = /^https?:\/\/\S+\.(img|raw|bin|qcow2|vhdx|vdi|vmdk)(\.gz|\.bz2)?$/;

/** Seconds for which an image is pending; minutes in the service. */
const importSeconds = 2;

/** A custom image: an entry of the account. Droplets boot the same machine, configured as its distribution is. */
export const customImage: Simulated<Account> = {
    inputs: {
        name: text("a name of at most 255 characters", /^.{1,255}$/, required),
        url: text("the URL of an image's file", importable, required),
        regions: listOf("regions", (value: unknown) => regions.includes(String(value)), required),
        distribution: oneOf(distributions),
        description: text("a text", /^.{1,255}$/),
        tags: listOf("tags", (value: unknown) => typeof value === "string"),
    },
    outputs: ["createdAt", "imageId", "minDiskSize", "public", "sizeGigabytes", "slug", "status", "type"],
    async create(account: Account, { name, url, regions: where, distribution }: Properties) {
        const id = account.newId("images");
        const os = distribution === "Ubuntu" || distribution === "Debian" ? "cloud-init" : "ignition";
        const created = { name: String(name), url: String(url), regions: where as string[], os } as const;
        account.put("images", id, { ...created, status: "pending" });
        met("pending image");
        await sleep((account.state.slowness ?? 1) * importSeconds * 1000);
        account.put("images", id, { ...created, status: "available" });
        const outputs = { imageId: Number(id), minDiskSize: 9, sizeGigabytes: 0.5, public: false, slug: "" };
        return {
            id,
            outputs: { ...outputs, type: "custom", status: "available", createdAt: new Date().toISOString() },
        };
    },
    async update(account: Account, id: string, { name, regions: where }: Properties) {
        account.change("images", id, (now) => ({ ...now, name: String(name), regions: where as string[] }));
        return undefined;
    },
    async delete(account: Account, id: string) {
        account.remove("images", id);
    },
};
