import type { Member } from "../common/etcd-client";
import { readDisk } from "./disk";
import type { Run } from "./run";
import { type Standing, standing } from "./standing";

/** How this machine stands now. The members come first: who is listed with a name has written data before. */
export async function look({ plan, client }: Run): Promise<{ members: readonly Member[]; standing: Standing }> {
    const members = await client.members();
    return { members, standing: standing(plan, members, readDisk(plan)) };
}
