import { describeMember, voterHealth, votersAmong } from "../../common/etcd-members";
import { tryUntil } from "../../common/etcd-try";
import { leavingMembers } from "../members";
import type { Step } from "../run";

/** The leader is one that stays: without this the cluster would be without one until it elected another. */
export const moveLeader: Step = {
    name: "move-leader",
    run: async (run) => {
        let message = "not needed";
        await tryUntil(run, "a member that stays to be the leader", async () => {
            const members = await run.etcd.members();
            const leaving = leavingMembers(run.plan, members);
            if (leaving.length === 0) {
                return undefined;
            }
            const { healthy, leader, problems } = await voterHealth(run.etcd, members);
            const old = leaving.find(({ ID }) => ID === leader);
            if (leader !== undefined && old === undefined) {
                return undefined;
            }
            const next = votersAmong(members).find((voter) => healthy.has(voter.ID) && !leaving.includes(voter));
            const [url] = old?.clientURLs ?? [];
            if (url === undefined || next === undefined) {
                return `no healthy voter can take over: ${problems.join("; ")}`;
            }
            await run.etcd.moveLeader(url, next.ID);
            message = `moved to ${describeMember(next)}`;
            return `${describeMember(next)} is yet to be the leader`;
        });
        return message;
    },
};
