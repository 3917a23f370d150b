import { keptCheckpoints } from "../checkpoints";
import { isController, isReachable, listLeaving, namesOf } from "../nodes";
import type { Step } from "../run";
import { tryApiUntil } from "../try-until";

/** Nothing is saved on the controllers that leave, so that nothing can come back there once the control plane ends. */
export const forgetCheckpoints: Step = {
    name: "forget-checkpoints",
    run: async (run) => {
        let message = "not needed";
        await tryApiUntil(
            run,
            "the checkpointers of the controllers that leave to forget their checkpoints",
            async () => {
                const controllers = (await listLeaving(run)).filter((node) => isController(run.plan, node));
                // Nobody tells what is on the disk of a machine that is lost.
                const told = controllers.filter(isReachable);
                message = told.length === 0 ? message : `nothing is saved on ${namesOf(told)}`;
                return told.flatMap((node) => keptCheckpoints(node) ?? []).join("; ") || undefined;
            },
        );
        return message;
    },
};
