import { type EtcdClient, EtcdError } from "../../../clients/etcd/client";
import { decimalId, type MemberState, type Observation, observe } from "./observe";

/** Share of the quota below which a store has room again. Any closer, it would soon be full again. */
const roomyShare = 0.9;

/**
 * Gets a cluster out of the NOSPACE alarm, in which it refuses writes, if there is space to reclaim.
 *
 * kube-apiserver can't do it: marking a compaction is itself a write.
 * @returns what was done, and what is left to do manually
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

function isRoomy({ dbSize, quota }: Pick<MemberState, "dbSize" | "quota">): boolean {
    return dbSize < quota * roomyShare;
}

function describeFull({ name, dbSizeInUse, quota }: MemberState): string {
    return `${name} uses ${dbSizeInUse} bytes of its quota of ${quota}`;
}

async function compact(client: EtcdClient, endpoint: string, revision: number): Promise<string> {
    try {
        await client.send(endpoint, "kv/compaction", { revision: String(revision), physical: true }, 120_000);
        return `compacted everything before revision ${revision}`;
    } catch (error) {
        if (error instanceof EtcdError && error.message.includes("has been compacted")) {
            return `everything before revision ${revision} is already compacted`;
        }
        throw error;
    }
}

/** The member does not answer in the meantime. Enough for a store of several GiB on a slow disk. */
const limitMilliseconds = 10 * 60_000;

/** Rewrites a member's store without its free pages, if the cluster can do without that member for the time. */
export async function defragment(client: EtcdClient, endpoint: string, member: MemberState): Promise<string> {
    const problem = defragmentationProblem(await observe(client, endpoint));
    if (problem !== undefined) {
        throw new Error(`${member.name} can't be defragmented while a member is not healthy: ${problem}`);
    }
    const start = performance.now();
    await client.send(member.clientUrl!, "maintenance/defragment", {}, limitMilliseconds);
    const seconds = (performance.now() - start) / 1000;
    const { dbSize } = await client.status(member.clientUrl!);
    return `defragmented ${member.name}: ${member.dbSize} to ${dbSize} bytes in ${seconds.toFixed(1)} s`;
}

/**
 * A smaller store is not worth pausing a member for. Unit: bytes. Source, also of the share: OpenShift's etcd operator.
 */
const minBytes = 100 * 2 ** 20;
const minShare = 0.45;

/** Why no member may be paused for defragmentation now, or undefined. */
export function defragmentationProblem({ members }: Pick<Observation, "members">): string | undefined {
    const problems = members.filter(({ problem }) => problem !== undefined);
    return problems.length === 0
        ? undefined
        : problems.map(({ name, id, problem }) => `${name || id}: ${problem}`).join("; ");
}

/** The member to defragment next: one with much to gain, the leader last. */
export function mostFragmented(members: readonly MemberState[], limits = { minBytes, minShare }) {
    return leaderLast(members).find(
        ({ dbSize, dbSizeInUse }) => dbSize >= limits.minBytes && (dbSize - dbSizeInUse) / dbSize >= limits.minShare,
    );
}

/** Pausing the leader pauses everything. */
export function leaderLast(members: readonly MemberState[]): MemberState[] {
    return [...members].sort((a, b) => Number(a.isLeader) - Number(b.isLeader) || a.name.localeCompare(b.name));
}
