import type { Ec2Instance } from "../../../clients/aws/ec2-instances";
import type { ApiClient } from "../../../clients/kubernetes/api-client";
import { describeError, ifFound } from "../../../clients/kubernetes/api-error";
import type { Node } from "../../../clients/kubernetes/objects";
import {
    approve,
    forgetOthers,
    isPending,
    logPending,
    type SigningRequest,
} from "../../../clients/kubernetes/signing-requests";
import { readAdmissions, writeAdmissions } from "./admissions";
import { whyNot, withAdmission } from "./decide";
import { type Applicant, identify, isByToken } from "./identify";
import { type JoinedMachine, readJoined, writeJoined } from "./joined";
import type { NodeApproverPlan, NodePools, PooledInstances } from "./plan";
import { isRenewal, renewAll } from "./renew";
import { readPools } from "./stack-lists";

export interface Approver {
    readonly api: ApiClient;
    readonly plan: NodeApproverPlan;
    /** Queries EC2 for instances. Those that EC2 does not list are left out. */
    readonly ask: (ids: readonly string[], place: PooledInstances) => Promise<readonly Ec2Instance[]>;
    /** Why requests were not approved, by name. */
    readonly logged: Map<string, string>;
    /** Lists the requests for kubelets' client certificates. */
    readonly requests: () => Promise<readonly SigningRequest[]>;
}

/**
 * Approves the requests that may be approved, in their order, since each affects the next. An error is logged, and
 * its request is retried in a later round.
 *
 * @param isThorough - includes those that were rejected before
 */
export async function approveAll(approver: Approver, isThorough: boolean): Promise<void> {
    const { api, plan, ask, logged } = approver;
    const requests = await approver.requests();
    const isOurs = (each: SigningRequest) => isByToken(each, plan) || (plan.renews === true && isRenewal(each));
    const pending = requests.filter((each) => isPending(each) && isOurs(each));
    forgetOthers(logged, pending);
    const due = pending.filter(({ metadata }) => isThorough || !logged.has(metadata.name));
    if (due.length === 0) return;
    const [pools, { machines: joined }] = await Promise.all([readPools(api, plan), readJoined(api)]);
    const [renewals, first] = [due.filter(isRenewal), due.filter((each) => !isRenewal(each))];
    await renewAll({ api, ask, logged }, renewals, pools, joined);
    const applicants = first.map((request) => ({ request, applicant: identify(request, plan, pools, joined) }));
    const instances = await askAbout(ask, pools, applicants.map(({ applicant }) => applicant).filter(isApplicant));
    for (const { request, applicant } of applicants) {
        if (!isApplicant(applicant)) logPending(logged, request, applicant.why);
    }
    const asking = applicants.filter((each): each is Asking => isApplicant(each.applicant));
    for (let next = 0; next < asking.length; next += mostAtOnce) {
        const batch = asking.slice(next, next + mostAtOnce);
        const whys = await admit(api, batch, instances);
        for (const [index, why] of whys.entries()) if (why) logPending(logged, batch[index]!.request, why);
    }
}

/** When a pool of hundreds joins, each request alone would take four calls. All of a batch are recorded in one object. */
const mostAtOnce = 50;

interface Asked {
    readonly request: SigningRequest;
    readonly applicant: ReturnType<typeof identify>;
}

interface Asking extends Asked {
    readonly applicant: Applicant;
}

function isApplicant(each: Asked["applicant"]): each is Applicant {
    return !("why" in each);
}

/** EC2's answer by instance, or why there is none, in which case no instance is admitted. */
type Instances = ReadonlyMap<string, Ec2Instance> | { readonly why: string };

async function askAbout(
    ask: Approver["ask"],
    { instances }: NodePools,
    applicants: readonly Applicant[],
): Promise<Instances> {
    const ids = [...new Set(applicants.flatMap(({ instance }) => instance?.id ?? []))];
    if (ids.length === 0 || instances === undefined) return new Map();
    try {
        return new Map((await ask(ids, instances)).map((each) => [each.id, each]));
    } catch (error) {
        return { why: `EC2 does not answer: ${describeError(error)}` };
    }
}

/** Why each machine is not admitted, or undefined if it is. */
async function admit(
    api: ApiClient,
    asking: readonly Asking[],
    instances: Instances,
): Promise<readonly (string | undefined)[]> {
    try {
        // Read first: if another agent admits a machine from here on, the write fails.
        const record = await readAdmissions(api);
        const joined = asking.some(({ applicant }) => applicant.isJoining) ? await readJoined(api) : { machines: {} };
        const nodes = await Promise.all(asking.map(({ applicant }) => nodesOf(api, applicant)));
        const now = Date.now();
        // Of two requests for one name, the first counts.
        let { admissions } = record;
        const used: Record<string, JoinedMachine> = {};
        const whys = asking.map(({ applicant }, index) => {
            const { instance: own } = applicant;
            if (own && "why" in instances) return instances.why;
            const instance = own && (instances as ReadonlyMap<string, Ec2Instance>).get(own.id);
            const entry = applicant.isJoining ? (used[applicant.node] ?? joined.machines[applicant.node]) : undefined;
            const scene = { nodes: nodes[index]!, admissions, instance, now, ...(entry && { joined: entry }) };
            const why = whyNot(applicant, scene);
            if (why !== undefined) return why;
            admissions = withAdmission(admissions, applicant, now);
            if (entry && entry.key === undefined) {
                used[applicant.node] = { ...entry, key: applicant.key, joined: new Date(now).toISOString() };
            }
            return undefined;
        });
        if (admissions !== record.admissions) await writeAdmissions(api, record, admissions);
        // Before the approval: from here on, no other machine can use the token.
        if (Object.keys(used).length > 0) await writeJoined(api, used, joined.resourceVersion);
        return await Promise.all(asking.map((each, index) => whys[index] ?? approveOne(api, each)));
    } catch (error) {
        return asking.map(() => `retrying: ${describeError(error)}`);
    }
}

async function nodesOf(api: ApiClient, { aliases }: Applicant): Promise<Node[]> {
    const found = await Promise.all(aliases.map((name) => ifFound(api.call<Node>(`/api/v1/nodes/${name}`))));
    return found.filter((each) => each !== undefined);
}

/** @returns why it is not approved yet */
async function approveOne(api: ApiClient, { request, applicant: { node, pool } }: Asking): Promise<string | undefined> {
    try {
        await approve(api, request, "TradewindNodeApprover", `a machine of pool ${pool}`);
        console.log(`approved ${request.metadata.name}: ${node} of pool ${pool}`);
        return undefined;
    } catch (error) {
        return `retrying: ${describeError(error)}`;
    }
}
