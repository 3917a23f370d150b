import type { ApiClient } from "../common/api-client";
import { describePassing } from "../common/api-error";
import { decideServing, type ServingRequest, servingSigner } from "./decide";
import type { Machines } from "./plan";

const path = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
const ofServers = encodeURIComponent(`spec.signerName=${servingSigner}`);

/** Approves what may be. An error that may pass is told, and what it was about is tried again in the next round. */
export async function approveServing(api: ApiClient, machines: Machines, told: Map<string, string>): Promise<void> {
    try {
        const { items } = await api.call<{ items: ServingRequest[] }>(`${path}?fieldSelector=${ofServers}`);
        for (const name of told.keys()) {
            if (!items.some(({ metadata }) => metadata.name === name)) told.delete(name);
        }
        for (const request of items) {
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
    const { name, resourceVersion } = request.metadata;
    if (decision?.isApproved) {
        const message = `names and addresses of the machine ${decision.node}`;
        const condition = { type: "Approved", status: "True", reason: "TradewindServingApprover", message };
        // Not if somebody else changed it meanwhile.
        await api.call(`${path}/${name}/approval`, {
            method: "PATCH",
            contentType: "application/merge-patch+json",
            body: { metadata: { resourceVersion }, status: { conditions: [condition] } },
        });
        console.log(`approved ${name}: ${decision.node}`);
    } else if (decision && told.get(name) !== decision.why) {
        told.set(name, decision.why);
        // Whoever asks chose some of these words.
        console.log(`left ${name} as it is: ${decision.why.replaceAll(/[^ -~]/g, "?")}`);
    }
}
