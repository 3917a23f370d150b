import type { ApiClient } from "../common/api-client";
import { describePassing } from "../common/api-error";
import { decide, type SeenNode, type SigningRequest, signerName } from "./decide";
import type { NodeApproverPlan } from "./plan";

const path = "/apis/certificates.k8s.io/v1/certificatesigningrequests";

/** Approves what may be, one after another: each counts for the next. */
export async function approveAll(api: ApiClient, plan: NodeApproverPlan, told: Map<string, string>): Promise<void> {
    const asked = async () =>
        (
            await api.call<{ items: SigningRequest[] }>(
                `${path}?fieldSelector=spec.signerName%3D${encodeURIComponent(signerName)}`,
            )
        ).items;
    const pending = (await asked()).filter(({ status }) => !status?.conditions?.length);
    for (const name of told.keys()) {
        if (!pending.some(({ metadata }) => metadata.name === name)) told.delete(name);
    }
    for (const request of pending) {
        const { items: nodes } = await api.call<{ items: SeenNode[] }>("/api/v1/nodes");
        const decision = decide(request, { plan, requests: await asked(), nodes, now: Date.now() });
        if (!decision) continue;
        const { name } = request.metadata;
        if (decision.isApproved) {
            await approve(api, request, `a machine of pool ${decision.pool}`);
            console.log(`approved ${name}: ${decision.node} of pool ${decision.pool}`);
        } else if (told.get(name) !== decision.why) {
            told.set(name, decision.why);
            console.log(`left ${name} as it is: ${decision.why}`);
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
