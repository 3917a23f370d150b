import { existsSync, readFileSync } from "node:fs";
import { removeDurably, writeDurably } from "../../../common/durable";
import { hasShell, waitUntilStopped } from "../../../common/member-stopped";
import type { Run, Step } from "../run";

/** Nothing of the old member runs, nor starts again by itself. */
export const stopMember: Step = {
    name: "stop-member",
    run: async (run: Run) => {
        const { plan, places } = run;
        if (existsSync(places.swapping)) {
            return "the data were restored already";
        }
        if (existsSync(places.staticPod)) {
            // The kubelet tells a static pod by its file alone, so the copy is elsewhere.
            writeDurably(places.staticPodBefore, readFileSync(places.staticPod, "utf8"));
            removeDurably(places.staticPod);
        } else if (plan.staticPod === undefined && !existsSync(places.staticPodBefore)) {
            throw new Error(`staticPod must be given where ${places.staticPod} is not, got nothing`);
        }
        const { peerUrl, healthUrl } = plan.member;
        const mayStart = hasShell(places.staticPodBefore);
        await waitUntilStopped(run, "the member to stop", [peerUrl, healthUrl], mayStart);
        return "it does not run";
    },
};
