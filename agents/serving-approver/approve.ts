import type { ApiClient } from "../common/api-client";
import { describePassing } from "../common/api-error";
import { approve, forgetOthers, requestsTo, tellLeft } from "../common/signing-requests";
import { decideServing, type ServingRequest, servingSigner } from "./decide";
import type { Machines } from "./plan";

/** Approves what may be. An error that may pass is told, and what it was about is tried again in the next round. */
export async function approveServing(api: ApiClient, machines: Machines, told: Map<string, string>): Promise<void> {
    try {
        const requests = await requestsTo<ServingRequest>(api, servingSigner);
        forgetOthers(told, requests);
        for (const request of requests) {
            await answer(api, request, machines, told);
        }
    } catch (error) {
        console.log(`trying again: ${describePassing(error)}`);
    }
}

async function answer(
    api: ApiClient,
    request: ServingRequest,
    machines: Machines,
    told: Map<string, string>,
): Promise<void> {
    const decision = decideServing(request, machines);
    if (decision?.isApproved) {
        const { node } = decision;
        await approve(api, request, "TradewindServingApprover", `names and addresses of the machine ${node}`);
        console.log(`approved ${request.metadata.name}: ${node}`);
    } else if (decision) {
        tellLeft(told, request, decision.why);
    }
}
