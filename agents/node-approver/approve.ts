import type { ApiClient } from "../common/api-client";
import { describePassing } from "../common/api-error";
import { approve, forgetOthers, isPending, requestsTo, tellLeft } from "../common/signing-requests";
import { decide, type SeenNode, type SigningRequest, signerName } from "./decide";
import type { NodeApproverPlan } from "./plan";

/** Approves what may be, one after another: each counts for the next. */
export async function approveAll(api: ApiClient, plan: NodeApproverPlan, told: Map<string, string>): Promise<void> {
    const items = await requestsTo<SigningRequest>(api, signerName);
    const pending = items.filter(isPending);
    forgetOthers(told, pending);
    if (pending.length === 0) return;
    const { items: nodes } = await api.call<{ items: SeenNode[] }>("/api/v1/nodes");
    const approved = items.filter((each) => !pending.includes(each));
    for (const request of pending) {
        const decision = decide(request, { plan, requests: approved, nodes, now: Date.now() });
        if (!decision) continue;
        if (decision.isApproved) {
            await approve(api, request, "TradewindNodeApprover", `a machine of pool ${decision.pool}`);
            approved.push({ ...request, status: { conditions: [{ type: "Approved" }] } });
            console.log(`approved ${request.metadata.name}: ${decision.node} of pool ${decision.pool}`);
        } else {
            tellLeft(told, request, decision.why);
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
