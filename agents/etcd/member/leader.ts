import type { EtcdClient, Member } from "../../../clients/etcd/client";
import { describeMember, voterHealth, votersAmong } from "../../../clients/etcd/members";
import { type Patience, tryUntil } from "../../harness/wait";

/**
 * Moves the leadership to a member that stays. Without this the cluster would have no leader until its next election,
 * and requests in flight to the old leader would be lost: their clients would wait 7 seconds for nothing.
 *
 * @param leavingAmong - the members that leave, temporarily or for good
 */
export async function leadElsewhere(
    client: EtcdClient,
    leavingAmong: (members: readonly Member[]) => readonly Member[],
    patience: Patience,
): Promise<string> {
    let message = "not needed";
    await tryUntil(patience, "a staying member to lead", async () => {
        const members = await client.members();
        const leaving = leavingAmong(members);
        if (leaving.length === 0) {
            return undefined;
        }
        const { healthy, leader, problems } = await voterHealth(client, members);
        const old = leaving.find(({ ID }) => ID === leader);
        if (leader !== undefined && old === undefined) {
            return undefined;
        }
        const next = votersAmong(members).find((voter) => healthy.has(voter.ID) && !leaving.includes(voter));
        const [url] = old?.clientURLs ?? [];
        if (url === undefined || next === undefined) {
            return `no healthy voter can take over: ${problems.join("; ")}`;
        }
        await client.moveLeader(url, next.ID);
        message = `moved to ${describeMember(next)}`;
        return `${describeMember(next)} does not lead yet`;
    });
    return message;
}

/** The member of this name, if another one can lead instead. */
export function oneOfSeveral(name: string): (members: readonly Member[]) => readonly Member[] {
    return (members) => (members.length > 1 ? members.filter((member) => member.name === name) : []);
}
