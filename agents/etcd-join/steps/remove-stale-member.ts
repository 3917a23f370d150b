import { removeDurably } from "../../common/durable";
import { describeMember, voterHealth } from "../../common/etcd-members";
import { tryUntil } from "../../common/etcd-try";
import { hasShell, waitUntilStopped } from "../../common/member-stopped";
import { staticPodPath } from "../disk";
import { look } from "../look";
import { removalProblem } from "../quorum";
import type { Run, Step } from "../run";

/** No member has this machine's name or URL without its data: raft takes nobody back who forgot what it agreed to. */
export const removeStaleMember: Step = {
    name: "remove-stale-member",
    run: async (run) => {
        const removed: string[] = [];
        await tryUntil(run, "the stale member of this machine to be removed", async () => {
            const { members, standing } = await look(run);
            const [gone] = standing.kind === "stale" ? standing.members : [];
            if (gone === undefined) {
                return undefined;
            }
            const problem = removalProblem(members, gone, await voterHealth(run.client, members));
            if (problem !== undefined) {
                return problem;
            }
            await stopMember(run);
            await run.client.remove(gone.ID);
            removed.push(describeMember(gone));
            return `${describeMember(gone)} is removed, its namesakes are not`;
        });
        return removed.length === 0 ? "there is none" : `removed ${removed.join(", ")}`;
    },
};

/** A pod that lost its data must not start as the member that the cluster remembers. */
async function stopMember(run: Run): Promise<void> {
    const mayStart = hasShell(staticPodPath(run.plan));
    removeDurably(staticPodPath(run.plan));
    await waitUntilStopped(run, "the member without data to stop", [run.plan.peerUrl], mayStart);
}
