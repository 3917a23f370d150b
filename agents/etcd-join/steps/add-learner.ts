import { voterHealth } from "../../common/etcd-members";
import { tryUntil } from "../../common/etcd-try";
import { look } from "../look";
import type { Run, Step } from "../run";

/** The cluster sends its data to this machine's member, which has no vote yet. */
export const addLearner: Step = {
    name: "add-learner",
    run: async (run) => {
        let message = "it is a member already";
        await tryUntil(run, "the cluster to add this machine's member", async () => {
            const { members, standing } = await look(run);
            if (standing.kind === "stale") {
                return "a member without data has taken its place";
            }
            if (standing.kind !== "absent") {
                return undefined;
            }
            try {
                await run.client.addLearner(run.plan.peerUrl);
            } catch (error) {
                return `${(error as Error).message}${await explanation(run, members)}`;
            }
            message = `added a learner at ${run.plan.peerUrl}`;
            return undefined;
        });
        return message;
    },
};

/** etcd adds none while a voter is away, nor a second learner, and does not say which. */
async function explanation({ client }: Run, members: Parameters<typeof voterHealth>[1]): Promise<string> {
    const { problems } = await voterHealth(client, members);
    const learners = members.filter(({ isLearner }) => isLearner).map(({ name, peerURLs }) => name || peerURLs?.[0]);
    const reasons = [...problems, ...learners.map((learner) => `${learner} is still a learner`)];
    return reasons.length === 0 ? "" : ` (${reasons.join("; ")})`;
}
