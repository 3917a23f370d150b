import { probe } from "../../common/probe";
import { waitFor } from "../../common/wait";
import type { Step } from "../run";

/** The member takes part: it answers reads that need a majority. */
export const waitUntilHealthy: Step = {
    name: "wait-until-healthy",
    run: async (run) => {
        const url = `${run.plan.healthUrl}/readyz`;
        await waitFor(run, "this machine's member to be ready", () => probe(url));
        return `${url} is good`;
    },
};
