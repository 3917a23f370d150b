import { describeMember } from "../../common/etcd-members";
import { tryUntil } from "../../common/etcd-try";
import { look } from "../look";
import type { Step } from "../run";

/** A majority of the members can be asked through some controller. */
export const findCluster: Step = {
    name: "find-cluster",
    run: async (run) => {
        let message = "";
        await tryUntil(run, `the etcd cluster behind ${run.plan.endpoints.join(", ")}`, async () => {
            const { members, standing } = await look(run);
            message = `members: ${members.map(describeMember).join(", ")}; this machine: ${standing.kind}`;
            return undefined;
        });
        return message;
    },
};
