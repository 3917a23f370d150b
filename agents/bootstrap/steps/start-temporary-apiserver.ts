import type { Step } from "../run";
import { startStaticPod } from "../static-pods";

/** Has the kubelet run the static pods that stand in for the control plane. */
export const startTemporaryControlPlane: Step = {
    name: "start-temporary-control-plane",
    run: async ({ plan, state }) => {
        if (!state.needsTemporary) {
            return "not needed";
        }
        const written = plan.temporary.filter((component) => startStaticPod(plan, component)).map(({ name }) => name);
        return written.length > 0 ? `static pods ${written.join(", ")}` : "the static pods were there";
    },
};
