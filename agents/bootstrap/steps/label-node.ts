import { existsSync, readFileSync } from "node:fs";
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
    const { nodeName, controllerLabels, fieldManager, kubeletIdentity } = plan;
    const path = `/api/v1/nodes/${nodeName}`;
    if (kubeletIdentity !== undefined && !existsSync(kubeletIdentity)) {
        return "its kubelet does not know yet which machine this is";
    }
    try {
        if (kubeletIdentity !== undefined && (await isOfAnotherMachine(api, path, kubeletIdentity))) {
            await api.call(path, { method: "DELETE" });
            return unregistered;
        }
        await api.call(`${path}?fieldManager=${fieldManager}`, {
            method: "PATCH",
            contentType: "application/merge-patch+json",
            body: { metadata: { labels: controllerLabels } },
        });
        return undefined;
    } catch (error) {
        return isNotFound(error) ? unregistered : describePassing(error);
    }
}

/**
 * Whether the Node is of a machine that this one was made in the place of. Its identity can't be changed, nor does a kubelet
 * change addresses that a cloud's controller told: the control plane would look for those of the machine that is gone.
 */
async function isOfAnotherMachine(api: Run["api"], path: string, kubeletIdentity: string): Promise<boolean> {
    const { spec } = await api.call<{ spec?: { providerID?: string } }>(path);
    const { providerID } = JSON.parse(readFileSync(kubeletIdentity, "utf8"));
    return spec?.providerID !== undefined && spec.providerID !== providerID;
}
