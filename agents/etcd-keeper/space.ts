import type { EtcdClient } from "../common/etcd-client";
import { EtcdError } from "../common/etcd-error";
import { defragment } from "./defragment";
import { leaderLast } from "./fragmentation";
import { decimalId } from "./ids";
import { type MemberState, type Observation, observe } from "./observe";

/** Share of the quota below which a store has room again: closer, it would soon be full once more. */
const roomyShare = 0.9;

/**
 * Takes a cluster out of the state in which it refuses writes, if there is room to be had.
 *
 * kube-apiserver can't: what it marks a compaction with is itself a write.
 * @returns what was done, and what is left to do for a person
 */
export async function makeSpace(
    client: EtcdClient,
    endpoint: string,
    { revision, members, alarms }: Observation,
): Promise<string[]> {
    const done = [await compact(client, endpoint, revision)];
    for (const member of leaderLast(members)) {
        done.push(await defragment(client, endpoint, member));
    }
    const after = await observe(client, endpoint);
    const full = after.members.filter((member) => !isRoomy(member));
    if (full.length > 0) {
        return [...done, `the alarm stays: ${full.map(describeFull).join("; ")}. Delete objects or raise the quota`];
    }
    for (const { memberId, alarm } of alarms.filter((raised) => raised.alarm === "NOSPACE")) {
        const body = { action: "DEACTIVATE", alarm, memberID: decimalId(memberId) };
        await client.send(endpoint, "maintenance/alarm", body);
        done.push(`disarmed ${alarm} of ${memberId}`);
    }
    return done;
}

export function isRoomy({ dbSize, quota }: Pick<MemberState, "dbSize" | "quota">): boolean {
    return dbSize < quota * roomyShare;
}

function describeFull({ name, dbSizeInUse, quota }: MemberState): string {
    return `${name} has ${dbSizeInUse} bytes in use of its quota of ${quota}`;
}

async function compact(client: EtcdClient, endpoint: string, revision: number): Promise<string> {
    try {
        await client.send(endpoint, "kv/compaction", { revision: String(revision), physical: true }, 120_000);
        return `compacted all before revision ${revision}`;
    } catch (error) {
        if (error instanceof EtcdError && error.message.includes("has been compacted")) {
            return `all before revision ${revision} was compacted`;
        }
        throw error;
    }
}
