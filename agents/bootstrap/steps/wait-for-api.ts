import { describeError } from "../api-error";
import { probe } from "../probe";
import type { Run, Step } from "../run";
import { temporaryApiserver } from "../static-pods";
import { waitFor } from "../wait";

/** The temporary apiserver serves, and so does the address through which everything on this machine reaches it. */
export const waitForApi: Step = {
    name: "wait-for-api",
    run: async (run) => {
        const { plan, state } = run;
        if (state.needsTemporary) {
            const { address, port, probe: path } = temporaryApiserver(plan);
            await waitFor(run, "the temporary kube-apiserver", () => probe(`https://${address}:${port}${path}`));
        }
        await waitFor(run, `the API at ${plan.apiServer}`, () => ask(run));
        const { gitVersion } = await run.api.call<{ gitVersion: string }>("/version");
        return `${plan.apiServer} serves Kubernetes ${gitVersion}`;
    },
};

async function ask({ api }: Run): Promise<string | undefined> {
    try {
        await api.call("/readyz", { isFresh: true, timeoutMilliseconds: 2_000 });
        return undefined;
    } catch (error) {
        return describeError(error);
    }
}
