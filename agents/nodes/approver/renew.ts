import { autoScalingGroup, type Ec2Instance, groupInstance, isLiving } from "../../../clients/aws/ec2-instances";
import type { ApiClient } from "../../../clients/kubernetes/api-client";
import { describeError } from "../../../clients/kubernetes/api-error";
import { approve, logPending, type SigningRequest } from "../../../clients/kubernetes/signing-requests";
import { nodeOf, signerName, strangeUsage } from "./identify";
import type { JoinedMachines } from "./joined";
import type { NodePools, PooledInstances } from "./plan";

const prefix = "system:node:";

interface Renewing {
    readonly api: ApiClient;
    /** Queries EC2. Instances that it does not list are left out. */
    readonly ask: (ids: readonly string[], place: PooledInstances) => Promise<readonly Ec2Instance[]>;
    /** Why requests were not approved, by name. */
    readonly logged: Map<string, string>;
}

/** Whether a kubelet requests its next client certificate with the one that it has. */
export function isRenewal({ spec }: Pick<SigningRequest, "spec">): boolean {
    const { username = "", groups = [] } = spec;
    return spec.signerName === signerName && username.startsWith(prefix) && groups.includes("system:nodes");
}

/**
 * Approves renewals of nodes that the stack lists, of machines that joined by a token, and, in groups, of those whose
 * instances run: a removed machine keeps its certificate, but gets no other.
 */
export async function renewAll(
    { api, ask, logged }: Renewing,
    requests: readonly SigningRequest[],
    pools: NodePools,
    joined: JoinedMachines,
): Promise<void> {
    for (const request of requests) {
        try {
            const why = await whyNotRenew(request, pools, joined, ask);
            if (why) logPending(logged, request, why);
            else await renew(api, request);
        } catch (error) {
            logPending(logged, request, `retrying: ${describeError(error)}`);
        }
    }
}

async function renew(api: ApiClient, request: SigningRequest): Promise<void> {
    await approve(api, request, "TradewindNodeApprover", "renewed by a machine of the stack");
    console.log(`approved ${request.metadata.name}: renewed by ${request.spec.username}`);
}

async function whyNotRenew(
    { spec }: SigningRequest,
    { pools, instances }: NodePools,
    joined: JoinedMachines,
    ask: Renewing["ask"],
): Promise<string | undefined> {
    const strange = strangeUsage(spec);
    if (strange) return strange;
    const asked = nodeOf(spec);
    if ("why" in asked) return asked.why;
    const { node } = asked;
    if (`${prefix}${node}` !== spec.username) return `it is for ${node}, but was requested by ${spec.username}`;
    const all = Object.values(pools);
    if (all.some((pool) => "nodes" in pool && pool.nodes.includes(node))) return undefined;
    if (Object.hasOwn(joined, node) && joined[node]!.key !== undefined) return undefined;
    const id = instances && groupInstance(node, instances.namePattern);
    if (id === undefined) return `${node} is not a node of the stack`;
    const [instance] = await ask([id], instances!);
    if (instance === undefined) return `EC2 has no instance ${id}`;
    if (!isLiving(instance)) return `${id} is ${instance.state}`;
    const group = autoScalingGroup(instance);
    const isOurs = all.some((pool) => "group" in pool && pool.group === group);
    return isOurs ? undefined : `${id} is in no group of the stack`;
}
