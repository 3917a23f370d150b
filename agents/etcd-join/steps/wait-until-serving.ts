import { tryUntil } from "../../common/etcd-try";
import { look } from "../look";
import type { Step } from "../run";

/** The process that serves on this machine is the member that the cluster added. */
export const waitUntilServing: Step = {
    name: "wait-until-serving",
    run: async (run) => {
        const { name, clientUrl } = run.plan;
        await tryUntil(run, `the pod etcd-${name} of this machine to serve`, async () => {
            const { header } = await run.client.status(clientUrl);
            const { standing } = await look(run);
            if (standing.kind !== "joined") {
                return `the member that serves has no data on this disk: ${standing.kind}`;
            }
            return header.member_id === standing.member.ID
                ? undefined
                : `${clientUrl} serves as another member than the one that was added; its data is of an earlier one`;
        });
        return `${clientUrl} serves`;
    },
};
