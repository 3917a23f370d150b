import { setTimeout as sleep } from "node:timers/promises";
import { readRequests } from "../../agents/nodes/promoter/facts";
import { memberLabel, type NodePromoterPlan, nodePromoterName } from "../../agents/nodes/promoter/plan";
import {
    type Controllers,
    controllersConfig,
    progressKey,
    readRecord,
    requestKey,
    roleIn,
} from "../../agents/nodes/promoter/record";
import { type Caller, patch } from "../../clients/kubernetes/api-client";
import { describePassing, ifFound } from "../../clients/kubernetes/api-error";
import { type ConfigMap, isReady, type Node } from "../../clients/kubernetes/objects";

const configs = "/api/v1/namespaces/kube-system/configmaps";
const pollMilliseconds = 1_000;

interface Request {
    readonly kind: "promote" | "demote";
    readonly node: string;
    /** Shows what happens. */
    readonly log: (line: string) => void;
    /** Milliseconds between two looks at the record. @default 1000 */
    readonly everyMilliseconds?: number;
}

/**
 * Requests a node's promotion or demotion and waits for it. If this ends earlier, the request stays.
 *
 * @returns what the node is then. @throws if it is refused, or fails
 */
export async function requestRole(api: Caller, request: Request): Promise<string> {
    const { kind, node } = request;
    const config = await ifFound(api.call<ConfigMap>(`${configs}/${controllersConfig}`));
    const plan = await readPlan(api);
    if (config === undefined || plan === undefined) {
        throw new Error("this cluster has no candidates for controllers; list pools in controllers.candidates first");
    }
    const state = { plan, record: readRecord(config) };
    const done = await check(api, request, state);
    if (done !== undefined) return done;
    const role = roleOf(state, node);
    const isUnderWay = role === (kind === "promote" ? "joining" : "leaving");
    if (!isUnderWay)
        await patch(api, `${configs}/${controllersConfig}`, "merge", { data: { [requestKey(node)]: kind } });
    request.log(isUnderWay ? `${node} is ${role} already` : `requested: ${kind} ${node}`);
    return follow(api, request, plan);
}

async function readPlan(api: Caller): Promise<NodePromoterPlan | undefined> {
    const config = await ifFound(api.call<ConfigMap>(`${configs}/${nodePromoterName}`));
    const text = config?.data?.["plan.json"];
    return text === undefined ? undefined : (JSON.parse(text) as NodePromoterPlan);
}

interface State {
    readonly plan: NodePromoterPlan;
    readonly record: Controllers;
}

function roleOf({ plan, record }: State, node: string): string {
    return roleIn(record, plan.candidates, node);
}

/** Refuses what the cluster would refuse or could never do. @returns what to say if there is nothing to do */
async function check(api: Caller, { kind, node }: Request, state: State): Promise<string | undefined> {
    const { peerUrls } = state.plan;
    const possible = Object.keys(peerUrls).sort();
    if (!possible.includes(node)) {
        throw new Error(`${node} is neither a controller nor a candidate; those are ${possible.join(", ")}`);
    }
    const role = roleOf(state, node);
    const found = await ifFound(api.call<Node>(`/api/v1/nodes/${node}`));
    if (kind === "promote") {
        if (role === "controller") return `${node} is a controller already`;
        if (!isReady(found?.status)) throw new Error(`${node} cannot become a controller: its Node is not Ready`);
        return undefined;
    }
    const controllers = possible.filter((name) => roleOf(state, name) === "controller");
    if (controllers.length === 1 && controllers[0] === node) {
        throw new Error(`${node} is the last controller; promote another node first`);
    }
    return undefined;
}

/** Shows the record's changes until the node has its role. An API that is moving may not answer for a moment. */
async function follow(api: Caller, request: Request, plan: NodePromoterPlan): Promise<string> {
    const { node, log, everyMilliseconds = pollMilliseconds } = request;
    let shown = "";
    let begun = "";
    for (;;) {
        let line: string;
        try {
            const config = await api.call<ConfigMap>(`${configs}/${controllersConfig}`);
            const record = readRecord(config);
            const isWaiting = Object.hasOwn(readRequests(config), node);
            const role = roleOf({ plan, record }, node);
            const why = record[node]?.why;
            if (!isWaiting) {
                const end = endOf(request, role, why, begun !== "", config);
                if (end !== undefined) return end;
                if (role === "leaving" && (await isLostFor(api, node))) {
                    return `${node} is no controller any more; its disk is cleaned up when it returns`;
                }
                begun = role;
            }
            const progress = config.data?.[progressKey];
            line = [`${node}: ${isWaiting ? "waiting" : role}`, ...(progress ? [progress] : [])].join(": ");
        } catch (error) {
            line = `waiting for the API: ${describePassing(error)}`;
        }
        if (line !== shown) log(line);
        shown = line;
        await sleep(everyMilliseconds);
    }
}

/** @returns what it became, or undefined if it is on its way. @throws if it did not become what was requested */
function endOf({ kind, node }: Request, role: string, why = "", hasBegun: boolean, { data = {} }: ConfigMap) {
    if (kind === "promote" && role === "controller") return `${node} is a controller`;
    if (kind === "demote" && role === "candidate") return `${node} is a candidate`;
    if (kind === "promote" && role !== "joining") {
        throw new Error(`${node} did not become a controller: ${hasBegun ? why : (data[progressKey] ?? why)}`);
    }
    if (kind === "demote" && role !== "leaving") {
        throw new Error(`${node} stays a controller: ${hasBegun ? why : (data[progressKey] ?? why)}`);
    }
    return undefined;
}

/** A lost machine cleans its disk up when it returns. */
async function isLostFor(api: Caller, node: string): Promise<boolean> {
    const found = await ifFound(api.call<Node>(`/api/v1/nodes/${node}`));
    return found === undefined || (!isReady(found.status) && found.metadata.labels?.[memberLabel] === "leaving");
}
