import { describePassing, isNotFound } from "../../common/api-error";
import { writeDurably } from "../../common/durable";
import { waitFor } from "../../common/wait";
import type { Run, Step } from "../run";

const unregistered = "the kubelet has not registered it yet";

/** Makes this machine's Node a controller, so that the self-hosted pods go there. */
export const labelNode: Step = {
    name: "label-node",
    run: async (run) => {
        const { nodeName, controllerLabels } = run.plan;
        if (run.state.pivotedAt !== undefined && !run.plan.recovery) {
            return "not needed";
        }
        let restarted = "";
        await waitFor(run, `Node ${nodeName} to register`, async () => {
            const problem = await label(run);
            if (problem === unregistered && restarted === "") {
                restartKubelet(run);
                restarted = "; its kubelet was restarted to register at once";
            }
            return problem;
        });
        if (run.plan.recovery && restarted === "") {
            // It has long looked for an API in vain, and by now does so once in half a minute.
            restartKubelet(run);
            restarted = "; its kubelet was restarted to look for its pods at once";
        }
        return `${nodeName} is a controller: ${Object.keys(controllerLabels).join(", ")}${restarted}`;
    },
};

/** A kubelet that started before the API looks for it every 7 s in the end. A new one looks at once. */
function restartKubelet({ plan }: Run): void {
    writeDurably(plan.kubeletRestart, "");
}

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
        return isNotFound(error) ? unregistered : describePassing(error);
    }
}
