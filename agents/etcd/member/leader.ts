import type { EtcdClient, Member } from "../../../clients/etcd/client";
import { describeMember, voterHealth, votersAmong } from "../../../clients/etcd/members";
import { type Patience, tryUntil } from "../../harness/wait";

/**
 * Has a member lead that stays. Without this the cluster would be without a leader until it elected another, and what was
 * on its way to the old one would be lost: 7 seconds, in which who asked waits for nothing.
 *
 * @param leavingAmong - the members that go, for a while or for good
 */
export async function leadElsewhere(
    client: EtcdClient,
    leavingAmong: (members: readonly Member[]) => readonly Member[],
    patience: Patience,
): Promise<string> {
    let message = "not needed";
    await tryUntil(patience, "a member that stays to be the leader", async () => {
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
        return `${describeMember(next)} is yet to be the leader`;
    });
    return message;
}

/** The member of this name, if another can lead in its place. */
export function oneOfSeveral(name: string): (members: readonly Member[]) => readonly Member[] {
    return (members) => (members.length > 1 ? members.filter((member) => member.name === name) : []);
}
