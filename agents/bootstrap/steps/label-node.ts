import { describePassing, isNotFound } from "../../common/api-error";
import { waitFor } from "../../common/wait";
import type { Run, Step } from "../run";

/** Makes this machine's Node a controller, so that the self-hosted pods go there. */
export const labelNode: Step = {
    name: "label-node",
    run: async (run) => {
        const { nodeName, controllerLabels } = run.plan;
        if (run.state.pivotedAt !== undefined) {
            return "not needed";
        }
        await waitFor(run, `Node ${nodeName} to register`, () => label(run));
        return `${nodeName} is a controller: ${Object.keys(controllerLabels).join(", ")}`;
    },
};

async function label({ api, plan }: Run): Promise<string | undefined> {
    const { nodeName, controllerLabels, fieldManager } = plan;
    try {
        await api.call(`/api/v1/nodes/${nodeName}?fieldManager=${fieldManager}`, {
            method: "PATCH",
            contentType: "application/merge-patch+json",
            body: { metadata: { labels: controllerLabels } },
        });
        return undefined;
    } catch (error) {
        return isNotFound(error) ? "the kubelet has not registered it yet" : describePassing(error);
    }
}
