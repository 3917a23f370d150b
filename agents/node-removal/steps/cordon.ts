import { leavingAnnotation } from "../../common/leaving";
import { listLeaving, namesOf, patchNode } from "../nodes";
import type { Step } from "../run";
import { tryApiUntil } from "../try-until";

/** No pod is scheduled on a node that leaves: all at once, lest one's pods go to the next. */
export const cordon: Step = {
    name: "cordon",
    run: async (run) => {
        let message = "not needed";
        await tryApiUntil(run, "the nodes to be unschedulable", async () => {
            const leaving = await listLeaving(run);
            for (const { metadata } of leaving) {
                const body = {
                    metadata: { annotations: { [leavingAnnotation]: "true" } },
                    spec: { unschedulable: true },
                };
                await patchNode(run.api, metadata.name, body);
            }
            message = leaving.length === 0 ? message : `unschedulable: ${namesOf(leaving)}`;
            return undefined;
        });
        return message;
    },
};
