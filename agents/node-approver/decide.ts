import { type Conditions, isReady } from "../common/ready-condition";
import { isPending } from "../common/signing-requests";
import type { NodeApproverPlan, PoolPlan } from "./plan";
import { parseRequest } from "./request";

/** The signer of kubelets' client certificates. */
export const signerName = "kubernetes.io/kube-apiserver-client-kubelet";

/** A CertificateSigningRequest, as far as it is looked at. */
export interface SigningRequest {
    readonly metadata: { readonly name: string; readonly resourceVersion: string; readonly creationTimestamp: string };
    readonly spec: {
        /** PEM in base64. */
        readonly request: string;
        readonly signerName: string;
        readonly groups?: readonly string[];
        readonly usages?: readonly string[];
    };
    readonly status?: { readonly conditions?: readonly { readonly type: string }[] };
}

export interface SeenNode {
    readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
    readonly status?: Conditions;
}

/** What is there. */
export interface Scene {
    readonly plan: NodeApproverPlan;
    readonly requests: readonly SigningRequest[];
    readonly nodes: readonly SeenNode[];
    /** Unit: milliseconds since 1970. */
    readonly now: number;
}

export type Decision =
    | { readonly isApproved: true; readonly pool: string; readonly node: string }
    | { readonly isApproved: false; readonly why: string };

const usages = ["client auth", "digital signature", "key encipherment"];
/**
 * How long somebody who was approved may take to be a node, which is a matter of seconds: a node that came and was deleted
 * since, with its machine, counts for as long. Unit: milliseconds.
 */
const joinMilliseconds = 120_000;

/**
 * Whether a request is one of a machine that its pool may have, and still waits for an answer; `undefined` if it is not.
 *
 * A token tells the pool and no more: it admits nobody under the name of a node that is there, nor more nodes than the
 * pool may have.
 */
export function decide(request: SigningRequest, scene: Scene): Decision | undefined {
    const pool = poolOf(request, scene.plan);
    if (!pool || !isPending(request)) return undefined;
    const refused = (why: string): Decision => ({ isApproved: false, why });
    const strange = request.spec.usages?.find((usage) => !usages.includes(usage));
    if (strange || !request.spec.usages?.includes("client auth")) {
        return refused(`its usages are ${request.spec.usages?.join(", ")}`);
    }
    const node = nodeOf(request);
    if (typeof node !== "string") return refused(node.why);
    if (!new RegExp(pool.namePattern).test(node)) return refused(`${node} is no name of a node of pool ${pool.pool}`);
    if (scene.nodes.some(({ metadata }) => metadata.name === node)) return refused(`node ${node} is there already`);
    const others = members(pool, scene).filter((other) => other !== node);
    if (others.length >= pool.max) {
        return refused(`pool ${pool.pool} has ${others.length} nodes, of ${pool.max} at most`);
    }
    // A node says by itself of which pool it is.
    const all = everyMember(scene).filter((other) => other !== node);
    const most = Object.values(scene.plan.pools).reduce((sum, { max }) => sum + max, 0);
    if (all.length >= most) {
        return refused(`all pools have ${all.length} nodes, of ${most} at most`);
    }
    return { isApproved: true, pool: pool.pool, node };
}

function poolOf({ spec }: SigningRequest, { pools }: NodeApproverPlan): PoolPlan | undefined {
    const [pool, ...others] = (spec.groups ?? []).flatMap((group) => pools[group] ?? []);
    return spec.signerName === signerName && others.length === 0 ? pool : undefined;
}

/** Name of the node that a request is for. */
function nodeOf({ spec }: SigningRequest): string | { readonly why: string } {
    try {
        const { commonName, organizations, asksForMore } = parseRequest(
            Buffer.from(spec.request, "base64").toString("utf8"),
        );
        const [, node] = /^system:node:(.+)$/.exec(commonName) ?? [];
        if (node === undefined || organizations.join() !== "system:nodes" || asksForMore) {
            return { why: `it is for ${commonName} of ${organizations.join(", ")}${asksForMore ? ", and more" : ""}` };
        }
        return node;
    } catch (error) {
        return { why: (error as Error).message };
    }
}

/** The pool's nodes that are Ready, and those to be: a machine that is lost makes room for another one. */
function members(pool: PoolPlan, scene: Scene): string[] {
    const { poolLabel } = scene.plan;
    const ready = scene.nodes.filter((node) => isReady(node.status) && node.metadata.labels?.[poolLabel] === pool.pool);
    return [...new Set([...ready.map(({ metadata }) => metadata.name), ...joining(scene, pool.pool)])];
}

/** The same of every pool, known by their names. */
function everyMember(scene: Scene): string[] {
    const patterns = Object.values(scene.plan.pools).map(({ namePattern }) => new RegExp(namePattern));
    const ready = scene.nodes.filter(({ status }) => isReady(status)).map(({ metadata }) => metadata.name);
    const named = ready.filter((name) => patterns.some((pattern) => pattern.test(name)));
    return [...new Set([...named, ...joining(scene)])];
}

/** Nodes to be: approved lately, and not there yet. */
function joining({ plan, requests, nodes, now }: Scene, pool?: string): string[] {
    const names = nodes.map(({ metadata }) => metadata.name);
    return requests
        .filter((each) => {
            const own = poolOf(each, plan)?.pool;
            return own !== undefined && (pool === undefined || own === pool);
        })
        .filter(({ status }) => status?.conditions?.some(({ type }) => type === "Approved"))
        .filter(({ metadata }) => now - Date.parse(metadata.creationTimestamp) < joinMilliseconds)
        .map(nodeOf)
        .filter((node): node is string => typeof node === "string" && !names.includes(node));
}
