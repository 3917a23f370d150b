import { tryUntil } from "../../common/etcd-try";
import { look } from "../look";
import type { Step } from "../run";

/** The member has a vote. The cluster gives it one only when it is nearly in sync with the leader. */
export const promote: Step = {
    name: "promote",
    run: async (run) => {
        let message = "it is a voter already";
        await tryUntil(run, `${run.plan.name} to be in sync with the leader and a voter`, async () => {
            const { standing } = await look(run);
            if (standing.kind !== "joined") {
                return `the cluster does not know this machine's member: ${standing.kind}`;
            }
            if (!standing.member.isLearner) {
                return undefined;
            }
            await run.client.promote(standing.member.ID);
            message = "a learner became a voter";
            return undefined;
        });
        return message;
    },
};
