import type { Step } from "../run";
import { isRunning, removeStaticPod, temporaryApiserver, waitUntilStopped } from "../static-pods";

/** Stops the other temporary components. The self-hosted ones take over their leases. */
export const stopTemporaryControllers: Step = {
    name: "stop-temporary-controllers",
    run: async (run) => {
        const { plan } = run;
        const stopped: string[] = [];
        const stop = async (component: (typeof plan.temporary)[number]) => {
            if (await isRunning(plan, component)) {
                removeStaticPod(plan, component);
                await waitUntilStopped(run, component);
                stopped.push(component.name);
            }
        };
        await Promise.all(plan.temporary.filter((component) => component !== temporaryApiserver(plan)).map(stop));
        return stopped.length > 0 ? `stopped ${stopped.sort().join(", ")}` : "had stopped";
    },
};
