import { describeMember } from "../../common/etcd-members";
import { tryUntil } from "../../common/etcd-try";
import { look } from "../look";
import type { Step } from "../run";

/** The cluster finds the member that has its data here, be this machine another one with another address. */
export const moveMember: Step = {
    name: "move-member",
    run: async (run) => {
        let message = "it is where the cluster looks for it";
        await tryUntil(run, "the cluster to look for this machine's member here", async () => {
            const { standing } = await look(run);
            if (standing.kind === "moved") {
                await run.client.update(standing.member.ID, run.plan.peerUrl);
                message = `${describeMember(standing.member)} is at ${run.plan.peerUrl} now`;
            }
            return undefined;
        });
        return message;
    },
};
