import { probe } from "../../../common/probe";
import { waitFor } from "../../../common/wait";
import type { Step } from "../run";

/** The member takes part, with a majority of those that were restored. */
export const waitUntilServing: Step = {
    name: "wait-until-serving",
    run: async (run) => {
        const url = `${run.plan.member.healthUrl}/readyz`;
        await waitFor(run, `the member ${run.plan.member.name} to be ready`, () => probe(url), { slowTo: 500 });
        return `${url} is good`;
    },
};
