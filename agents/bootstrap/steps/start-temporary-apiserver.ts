import type { Step } from "../run";
import { startStaticPod, temporaryApiserver } from "../static-pods";

/** Has the kubelet run the apiserver that stands in for the self-hosted one. */
export const startTemporaryApiserver: Step = {
    name: "start-temporary-apiserver",
    run: async ({ plan, state }) => {
        if (!state.needsTemporary) {
            return "not needed";
        }
        const component = temporaryApiserver(plan);
        return startStaticPod(plan, component) ? `static pod ${component.name}` : "the static pod was there";
    },
};
