import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { writeDurably } from "../../../common/durable";
import type { Run, Step } from "../run";

/** The kubelet runs the member. */
export const startMember: Step = {
    name: "start-member",
    run: async ({ plan, places }: Run) => {
        const text = plan.staticPod
            ? `${JSON.stringify(plan.staticPod, null, 2)}\n`
            : readFileSync(places.staticPodBefore, "utf8");
        if (existsSync(places.staticPod) && readFileSync(places.staticPod, "utf8") === text) {
            return "its static pod is in place";
        }
        mkdirSync(dirname(places.staticPod), { recursive: true });
        writeDurably(places.staticPod, text);
        return `wrote ${places.staticPod}`;
    },
};
