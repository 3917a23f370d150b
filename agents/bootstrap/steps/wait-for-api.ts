import { describePassing } from "../../common/api-error";
import { probe } from "../../common/probe";
import { waitFor } from "../../common/wait";
import type { Run, Step } from "../run";
import { temporaryApiserver } from "../static-pods";

/** The temporary apiserver serves, and so does the address through which everything on this machine reaches it. */
export const waitForApi: Step = {
    name: "wait-for-api",
    run: async (run) => {
        const { plan, state } = run;
        if (state.needsTemporary) {
            const { address, port, probe: path } = temporaryApiserver(plan);
            await waitFor(run, "the temporary kube-apiserver", () => probe(`https://${address}:${port}${path}`));
        }
        let version = "";
        await waitFor(run, `the API at ${plan.apiServer}`, async () => {
            try {
                version = await ask(run);
                return undefined;
            } catch (error) {
                return describePassing(error);
            }
        });
        return `${plan.apiServer} serves Kubernetes ${version}`;
    },
};

async function ask({ api }: Run): Promise<string> {
    await api.call("/readyz", { isFresh: true, timeoutMilliseconds: 2_000 });
    // Anyone may ask whether it is ready; this shows that our credentials are good.
    return (await api.call<{ gitVersion: string }>("/version")).gitVersion;
}
