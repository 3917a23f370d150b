import { attachDisk, destroyDisk, growDisk, unplugDisk } from "../../../machines";
import type { Properties } from "../../plugins/protocol/serve";
import { listOf, oneOf, required, text } from "../shared/inputs";
import type { Simulated } from "../shared/simulated";
import type { Account } from "./account";
import { regions } from "./offers";
import { tagPattern } from "./project-resources";

const gibibytes = (value: unknown) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 16_384;

/** A volume: a disk that appears in a droplet at its usual device path, and outlives droplets. */
export const volume: Simulated<Account> = {
    inputs: {
        name: text(
            "at most 64 lower-case letters, digits and dashes, a letter first",
            /^[a-z][a-z0-9-]{0,63}$/,
            required,
        ),
        region: oneOf(regions, required),
        size: { legal: "a whole number of GiB from 1 to 16384", isLegal: gibibytes, isRequired: true },
        description: text("a text of at most 1024 bytes", /^.{0,1024}$/),
        tags: listOf("tags", (value: unknown) => tagPattern.test(String(value))),
    },
    outputs: ["dropletIds", "filesystemLabel", "volumeUrn"],
    async create(account: Account, { name, region, size, tags = [] }: Properties) {
        const created = { name: String(name), region: String(region), size: Number(size), tags: tags as string[] };
        const isTaken = Object.values(account.resources.volumes).some(
            (each) => each.name === created.name && each.region === created.region,
        );
        if (isTaken) throw new Error(`a volume named ${name} already exists in ${region}`);
        const id = account.newId("volumes");
        account.put("volumes", id, created);
        return { id, outputs: { dropletIds: [], filesystemLabel: "", volumeUrn: `do:volume:${id}` } };
    },
    async update(account: Account, id: string, { size, tags = [] }: Properties) {
        const before = account.resources.volumes[id]!;
        if (Number(size) < before.size)
            throw new Error(`a volume can only grow, from ${before.size} GiB (got ${size})`);
        if (before.network) await growDisk({ cluster: before.network, name: id, size: Number(size) });
        account.put("volumes", id, { ...before, size: Number(size), tags: tags as string[] });
        return undefined;
    },
    async delete(account: Account, id: string) {
        const found = account.resources.volumes[id];
        if (!found) return;
        const holder = holderOf(account, id);
        if (holder) throw new Error(`an attached volume cannot be deleted: ${found.name} is attached to ${holder}`);
        if (found.network) await destroyDisk({ cluster: found.network, name: id });
        account.remove("volumes", id);
    },
};

/** What the service rejects when a droplet is created with volumes. */
export function requireVolumes(account: Account, ids: readonly string[], region: string): void {
    for (const id of ids) {
        const found = account.resources.volumes[id];
        if (!found) throw new Error(`volumeIds must be of existing volumes (got ${id})`);
        if (found.region !== region)
            throw new Error(`volumeIds must be volumes of ${region} (got one of ${found.region})`);
        const holder = holderOf(account, id);
        if (holder)
            throw new Error(
                `a volume can be attached to one droplet at a time: ${found.name} is attached to ${holder}`,
            );
    }
}

/** Attaches a volume to a droplet's machine. */
export async function attach(
    account: Account,
    id: string,
    { network, machine }: { readonly network: string; readonly machine: string },
): Promise<void> {
    const found = account.resources.volumes[id]!;
    if (found.network !== undefined && found.network !== network) {
        throw new Error("moving a volume to another VPC is not simulated");
    }
    account.put("volumes", id, { ...found, network });
    const link = `scsi-0DO_Volume_${found.name}`;
    await attachDisk({ cluster: network, name: id, machine, link, size: found.size });
}

/** Detaches a volume from a droplet that keeps running, mounted or not, as the service does. */
export async function pull(account: Account, id: string, { vpc, name }: { vpc: string; name: string }): Promise<void> {
    const cluster = account.resources.vpcs[vpc]!.name;
    await unplugDisk({ cluster, name: id, machine: name, isForced: true });
}

function holderOf(account: Account, id: string): string | undefined {
    return Object.values(account.resources.droplets).find(({ volumes }) => volumes?.includes(id))?.name;
}
