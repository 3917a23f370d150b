import { waitFor } from "../../common/wait";
import { ApiWatch } from "../api-watch";
import type { Run, Step } from "../run";
import { isRunning, removeStaticPod, startStaticPod, temporaryApiserver, waitUntilStopped } from "../static-pods";

const defaultLongestSilence = 10;

/** Stops the temporary apiserver while the API goes on answering. */
export const stopTemporaryApiserver: Step = {
    name: "stop-temporary-apiserver",
    run: async (run) => {
        const { plan, api } = run;
        if (!(await isRunning(plan, temporaryApiserver(plan)))) {
            return "had stopped";
        }
        const watch = new ApiWatch(api);
        try {
            await waitForAnswer(run, watch);
            await stop(run, watch);
        } finally {
            await watch.stop();
            api.reconnect();
        }
        return `stopped; ${watch.summary()} through ${plan.apiServer}`;
    },
};

async function stop(run: Run, watch: ApiWatch): Promise<void> {
    const { plan } = run;
    const component = temporaryApiserver(plan);
    const longestSilence = plan.longestSilenceSeconds ?? defaultLongestSilence;
    const guard = () => {
        if (watch.isSilentFor(longestSilence)) {
            startStaticPod(plan, component);
            throw new Error(
                `the API fell silent (${watch.lastFailure}), so the temporary kube-apiserver was started again`,
            );
        }
    };
    removeStaticPod(plan, component);
    await waitUntilStopped(run, component, guard);
    await waitForAnswer(run, watch, guard);
}

/** Waits for the answer to a request that begins now. */
async function waitForAnswer(run: Run, watch: ApiWatch, guard = () => {}): Promise<void> {
    // The next answer may be to a request from before.
    const wanted = watch.answers + 2;
    await waitFor(run, `the API at ${run.plan.apiServer}`, async () => {
        guard();
        return watch.answers >= wanted ? undefined : (watch.lastFailure ?? "no answer yet");
    });
}
