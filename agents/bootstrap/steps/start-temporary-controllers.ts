import type { Step } from "../run";
import { startStaticPod, temporaryApiserver } from "../static-pods";

/**
 * Has the kubelet run the other static pods that stand in for the control plane.
 *
 * Not before the API serves: they would ask for it at growing intervals, the scheduler every 10 s and more in the end.
 */
export const startTemporaryControllers: Step = {
    name: "start-temporary-controllers",
    run: async ({ plan, state }) => {
        if (!state.needsTemporary) {
            return "not needed";
        }
        const controllers = plan.temporary.filter((component) => component !== temporaryApiserver(plan));
        const written = controllers.filter((component) => startStaticPod(plan, component)).map(({ name }) => name);
        return written.length > 0 ? `static pods ${written.join(", ")}` : "the static pods were there";
    },
};
