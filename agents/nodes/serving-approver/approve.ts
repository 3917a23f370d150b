import type { ApiClient } from "../../../clients/kubernetes/api-client";
import { describeError } from "../../../clients/kubernetes/api-error";
import {
    approve,
    forgetOthers,
    isPending,
    logPending,
    type SigningRequest,
} from "../../../clients/kubernetes/signing-requests";
import type { JoinedMachines } from "../approver/joined";
import { decideServing, nodeOf } from "./decide";
import type { Machines } from "./plan";

/** Addresses and names of nodes' machines; none for unknown machines. */
type MachinesOf = (nodes: readonly string[]) => Machines | Promise<Machines>;

/** Approves the requests that may be approved. An error is logged, and its request is retried in the next round. */
export async function approveServing(
    api: ApiClient,
    machinesOf: MachinesOf,
    logged: Map<string, string>,
    list: () => Promise<readonly SigningRequest[]>,
): Promise<void> {
    let waiting: readonly SigningRequest[];
    try {
        const requests = await list();
        forgetOthers(logged, requests);
        waiting = requests.filter(isPending);
    } catch (error) {
        return console.log(`retrying: ${describeError(error)}`);
    }
    if (waiting.length === 0) return;
    const retry = (request: SigningRequest, error: unknown) =>
        logPending(logged, request, `retrying: ${describeError(error)}`);
    let machines: Machines;
    try {
        machines = await machinesOf([...new Set(waiting.flatMap(({ spec }) => nodeOf(spec) ?? []))]);
    } catch (error) {
        for (const request of waiting) retry(request, error);
        return;
    }
    for (const request of waiting) {
        await answer(api, request, machines, logged).catch((error) => retry(request, error));
    }
}

/** Those of the stack, and those that joined by a token, with the addresses that the administrator gave. */
export function withJoined(machines: Machines, joined: JoinedMachines): Machines {
    const others = Object.entries(joined).map(([node, { addresses }]) => [node, addresses]);
    return { ...Object.fromEntries(others), ...machines };
}

async function answer(
    api: ApiClient,
    request: SigningRequest,
    machines: Machines,
    logged: Map<string, string>,
): Promise<void> {
    const decision = decideServing(request, machines);
    if (decision?.isApproved) {
        const { node } = decision;
        await approve(api, request, "TradewindServingApprover", `names and addresses of machine ${node}`);
        console.log(`approved ${request.metadata.name}: ${node}`);
    } else if (decision) {
        logPending(logged, request, decision.why);
    }
}
