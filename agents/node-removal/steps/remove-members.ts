import { describeMember, voterHealth } from "../../common/etcd-members";
import { tryUntil } from "../../common/etcd-try";
import { departureProblem, leavingMembers, nextToGo } from "../members";
import type { Step } from "../run";

/** etcd has only members that are wanted. They go one at a time, and none as long as a majority would be missing. */
export const removeMembers: Step = {
    name: "remove-members",
    run: async (run) => {
        const removed: string[] = [];
        await tryUntil(run, "the members that leave to be removed", async () => {
            const members = await run.etcd.members();
            const leaving = leavingMembers(run.plan, members);
            const health = await voterHealth(run.etcd, leaving.length === 0 ? [] : members);
            const gone = nextToGo(leaving, health);
            if (gone === undefined) {
                return undefined;
            }
            const problem = departureProblem(members, gone, health);
            if (problem !== undefined) {
                return problem;
            }
            await run.etcd.remove(gone.ID);
            removed.push(describeMember(gone));
            return `${describeMember(gone)} is removed, ${leaving.length - 1} are left`;
        });
        return removed.length === 0 ? "not needed" : `removed ${removed.join(", ")}`;
    },
};
