import { createHash } from "node:crypto";
import { groupInstance } from "../../../clients/aws/ec2-instances";
import type { CertificateSigningRequest } from "../../../clients/kubernetes/objects";
import { parseRequest } from "../../../clients/kubernetes/signing-requests";
import type { JoinedMachines } from "./joined";
import type { NodeApproverPlan, NodePool, NodePools } from "./plan";

/** The signer of kubelets' client certificates. */
export const signerName = "kubernetes.io/kube-apiserver-client-kubelet";

/** The machine that a request claims to be from: only the pool is proven, by its token. */
export interface Applicant {
    readonly pool: string;
    readonly node: string;
    /** Names of the same machine, including its own: no two of them may be nodes. */
    readonly aliases: readonly string[];
    /** Hash of its public key: a machine that lost power repeats its request with the same one. */
    readonly key: string;
    /** For a machine of an Auto Scaling group: its instance and group. @default - the stack names the machine */
    readonly instance?: { readonly id: string; readonly group: string };
    /** Whether an administrator lets it join, and the stack did not create it. @default false */
    readonly isJoining?: boolean;
}

export type Refusal = { readonly why: string };

const usages = ["client auth", "digital signature", "key encipherment"];

/** Whether a request is for a kubelet's client certificate with a pool's token. This agent ignores all others. */
export function isByToken(
    { spec }: Pick<CertificateSigningRequest, "spec">,
    { groupPrefix }: Pick<NodeApproverPlan, "groupPrefix">,
): boolean {
    return spec.signerName === signerName && after(groupPrefix, spec.groups).length > 0;
}

/** The requesting machine, or why it is rejected, from the request and its token. */
export function identify(
    { spec }: Pick<CertificateSigningRequest, "spec">,
    plan: Pick<NodeApproverPlan, "groupPrefix" | "nodeGroupPrefix" | "controllerPool">,
    pools: NodePools,
    joined: JoinedMachines = {},
): Applicant | Refusal {
    const [pool = "", ...others] = after(plan.groupPrefix, spec.groups);
    if (others.length > 0) return { why: `its token is for ${others.length + 1} pools` };
    if (!Object.hasOwn(pools.pools, pool)) return { why: `there is no pool ${pool}` };
    const strange = strangeUsage(spec);
    if (strange) return { why: strange };
    const asked = nodeOf(spec);
    if ("why" in asked) return asked;
    const { node, key } = asked;
    const own = after(plan.nodeGroupPrefix, spec.groups);
    if (own.some((name) => name !== node)) return { why: `its token is for ${own.join(", ")}, not for ${node}` };
    const mayJoin = own.includes(node) && pool !== plan.controllerPool && mayJoinBy(spec, node, pool, pools, joined);
    const place = mayJoin ? { aliases: [node], isJoining: true } : placeOf(node, pools.pools[pool]!, pools);
    return place ? { pool, node, key, ...place } : { why: `${node} is not a valid node name in pool ${pool}` };
}

/**
 * Whether an administrator lets a machine join as this node, by this very token: a request of an earlier one may still wait.
 * Names of the stack and its cloud stay theirs.
 */
function mayJoinBy(
    { username }: CertificateSigningRequest["spec"],
    node: string,
    pool: string,
    { pools, instances }: NodePools,
    joined: JoinedMachines,
): boolean {
    const machine = Object.hasOwn(joined, node) ? joined[node]! : undefined;
    if (machine?.pool !== pool || username !== `system:bootstrap:${machine.token}`) return false;
    if (Object.values(pools).some((each) => "nodes" in each && each.nodes.includes(node))) return false;
    return !instances || groupInstance(node, instances.namePattern) === undefined;
}

/** Why a client certificate must not have the requested usages, or undefined if it may. */
export function strangeUsage({ usages: asked = [] }: CertificateSigningRequest["spec"]): string | undefined {
    const isUsual = asked.includes("client auth") && asked.every((usage) => usages.includes(usage));
    return isUsual ? undefined : `its usages are ${asked.join(", ")}`;
}

function after(prefix: string, groups: readonly string[] = []): string[] {
    return groups.filter((group) => group.startsWith(prefix)).map((group) => group.slice(prefix.length));
}

function placeOf(
    node: string,
    pool: NodePool,
    { instances }: NodePools,
): Pick<Applicant, "aliases" | "instance"> | undefined {
    if ("nodes" in pool) return pool.nodes.includes(node) ? { aliases: [node] } : undefined;
    const id = instances && groupInstance(node, instances.namePattern);
    if (id === undefined) return undefined;
    // The same machine with and without its domain.
    return { aliases: [id, `${id}${instances!.domain}`], instance: { id, group: pool.group } };
}

/** Name of the node that a request is for. */
export function nodeOf({
    request,
}: CertificateSigningRequest["spec"]): { readonly node: string; readonly key: string } | Refusal {
    try {
        const pem = Buffer.from(request, "base64").toString("utf8");
        const { commonName, organizations, asksForMore, publicKey } = parseRequest(pem);
        const [, node] = /^system:node:([a-z0-9]([a-z0-9.-]*[a-z0-9])?)$/.exec(commonName) ?? [];
        if (node === undefined || organizations.join() !== "system:nodes" || asksForMore) {
            return { why: `it is for ${commonName} of ${organizations.join(", ")}${asksForMore ? ", and more" : ""}` };
        }
        return { node, key: createHash("sha256").update(publicKey).digest("hex").slice(0, 32) };
    } catch (error) {
        return { why: (error as Error).message };
    }
}
