import type { Member } from "../common/etcd-client";
import { describeMember, type Health, votersAmong } from "../common/etcd-members";

/**
 * Why a member that lost its data must not be removed now, or undefined.
 *
 * Of n voters, a majority has to agree to the removal and to all that follows; the one that goes does
 * not count, whatever it says.
 */
export function removalProblem(members: readonly Member[], gone: Member, { healthy, problems }: Health) {
    if (gone.isLearner) {
        return undefined;
    }
    const voters = votersAmong(members);
    const needed = Math.floor(voters.length / 2) + 1;
    const left = voters.filter(({ ID }) => ID !== gone.ID && healthy.has(ID)).length;
    if (left >= needed) {
        return undefined;
    }
    return (
        `removing ${describeMember(gone)} needs ${needed} healthy voters of ${voters.length} beside it, ` +
        `there are ${left}: ${problems.join("; ")}`
    );
}
