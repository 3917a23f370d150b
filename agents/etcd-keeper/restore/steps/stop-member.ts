import { existsSync, readFileSync } from "node:fs";
import { removeDurably, writeDurably } from "../../../common/durable";
import { isRefused } from "../../../common/probe";
import { waitFor } from "../../../common/wait";
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
        for (const url of [plan.member.peerUrl, plan.member.healthUrl]) {
            const { hostname, port } = new URL(url);
            await waitFor(run, "the member to stop", async () =>
                (await isRefused(hostname, Number(port))) ? undefined : `${hostname}:${port} still accepts connections`,
            );
        }
        return "it does not run";
    },
};
