import type { ApiClient } from "../common/api-client";
import { describePassing } from "../common/api-error";
import { decide, type SeenNode, type SigningRequest, signerName } from "./decide";
import type { NodeApproverPlan } from "./plan";

const path = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
const ofKubelets = encodeURIComponent(`spec.signerName=${signerName}`);

/** Approves what may be, one after another: each counts for the next. */
export async function approveAll(api: ApiClient, plan: NodeApproverPlan, told: Map<string, string>): Promise<void> {
    const { items } = await api.call<{ items: SigningRequest[] }>(`${path}?fieldSelector=${ofKubelets}`);
    const pending = items.filter(({ status }) => !status?.conditions?.length);
    for (const name of told.keys()) {
        if (!pending.some(({ metadata }) => metadata.name === name)) told.delete(name);
    }
    if (pending.length === 0) return;
    const { items: nodes } = await api.call<{ items: SeenNode[] }>("/api/v1/nodes");
    const approved = items.filter((each) => !pending.includes(each));
    for (const request of pending) {
        const decision = decide(request, { plan, requests: approved, nodes, now: Date.now() });
        if (!decision) continue;
        const { name } = request.metadata;
        if (decision.isApproved) {
            await approve(api, request, `a machine of pool ${decision.pool}`);
            approved.push({ ...request, status: { conditions: [{ type: "Approved" }] } });
            console.log(`approved ${name}: ${decision.node} of pool ${decision.pool}`);
        } else if (told.get(name) !== decision.why) {
            told.set(name, decision.why);
            // Whoever asks chose some of these words.
            console.log(`left ${name} as it is: ${decision.why.replaceAll(/[^ -~]/g, "?")}`);
        }
    }
}

/** An error that may pass is told, and what it was about is tried again in the next round. */
export async function approveOnce(api: ApiClient, plan: NodeApproverPlan, told: Map<string, string>): Promise<void> {
    try {
        await approveAll(api, plan, told);
    } catch (error) {
        console.log(`trying again: ${describePassing(error)}`);
    }
}

/** Not if somebody else changed it meanwhile. */
async function approve(api: ApiClient, { metadata }: SigningRequest, message: string): Promise<void> {
    const condition = { type: "Approved", status: "True", reason: "TradewindNodeApprover", message };
    await api.call(`${path}/${metadata.name}/approval`, {
        method: "PATCH",
        contentType: "application/merge-patch+json",
        body: { metadata: { resourceVersion: metadata.resourceVersion }, status: { conditions: [condition] } },
    });
}
