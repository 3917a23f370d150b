import { type Notice, normal, warning } from "../../../clients/kubernetes/nodes";
import type { MembersStatus } from "../../etcd/keeper/status";
import { abilities, type NodeRepairerPlan } from "./plan";
import type { Repair, Repairs } from "./record";

export interface NodeFacts {
    readonly name: string;
    readonly uid: string;
    readonly pool: string;
    readonly isController: boolean;
    readonly isReady: boolean;
    /** 0 if it is Ready, or was until a moment ago. */
    readonly notReadySeconds: number;
    /** Why its machine is not to be repaired now. @default - it may be */
    readonly hold?: string;
}

export interface Observed {
    readonly nodes: readonly NodeFacts[];
    readonly repairs: Repairs;
    /** As the etcd keeper reported them. @default - unknown, or not needed */
    readonly members?: MembersStatus["members"];
    /** Nodes about which the cloud is not called again yet. */
    readonly paused: ReadonlySet<string>;
    /** How long ago the record says that something happened. Unit: seconds. */
    readonly secondsSince: (time: string) => number;
}

/** One thing to do, which may be repeated after a kill. */
export type Action = Wait | Write | Call;

export interface Wait {
    readonly do: "wait";
    readonly why: string;
    /** A repair is needed or under way. */
    readonly isPending: boolean;
}

/** Writes a machine's entry in the record. */
export interface Write {
    readonly do: "write";
    readonly node: string;
    /** Without `since`, it starts now. @default - the entry is removed */
    readonly entry?: Omit<Repair, "since"> & Partial<Pick<Repair, "since">>;
    /** Counts a replacement in this pool. @default - there is none */
    readonly replacedIn?: string;
    readonly notice?: Notice;
}

/** Calls the cloud, as the record says. */
export interface Call {
    readonly do: "call";
    readonly node: string;
    readonly what: "restarting" | "replacing";
}

/** With more restarts since a machine was last healthy for long, another one is no cure. */
export const mostRestarts = 3;

/** For how long restarts of a machine that is Ready again count. Unit: seconds. */
export const memorySeconds = 6 * 3600;

/** For how long a replacement counts against its pool. Unit: seconds. */
export const replacedSeconds = 3600;

/** A group waits for up to two hours before it terminates an instance (`drainTimeout`). Unit: seconds. */
const replacingSeconds = 3 * 3600;

/** With a larger share of nodes not Ready, it is probably the network or the API. */
const massShare = 0.4;

/** The next thing to do. It follows from the record and what is observed alone: after each kill, the next run continues. */
export function decide(observed: Observed, plan: NodeRepairerPlan): Action {
    const { nodes, repairs } = observed;
    const known = new Map(nodes.map((node) => [node.name, node]));
    for (const [name, entry] of Object.entries(repairs.machines)) {
        const kept = keep(name, entry, known.get(name), observed);
        if (kept !== undefined) return kept;
    }
    const suspects = nodes.filter(({ notReadySeconds }) => notReadySeconds > 0);
    const steps = suspects.flatMap((node) => nextStep(node, observed, plan) ?? []);
    return (
        steps.find((step) => step.do !== "wait") ??
        steps[0] ?? { do: "wait", why: "no machine needs repair", isPending: false }
    );
}

/** Ends the entries of machines that are Ready again or no longer exist. */
function keep(name: string, entry: Repair, node: NodeFacts | undefined, observed: Observed): Write | undefined {
    const { state, uid, restarts } = entry;
    if (node?.uid !== uid) return { do: "write", node: name };
    if (!node.isReady) return undefined;
    if (state === "recovered") {
        return observed.secondsSince(entry.since) >= memorySeconds ? { do: "write", node: name } : undefined;
    }
    const why = `Ready again after it was ${state === "manual" ? "left to a person" : state}`;
    const notice = normal("MachineRecovered", `${name} is ${why}`);
    return { do: "write", node: name, entry: { uid, state: "recovered", why, restarts }, notice };
}

function nextStep(node: NodeFacts, observed: Observed, plan: NodeRepairerPlan): Action | undefined {
    const { name, uid, pool, hold } = node;
    const { repairs, paused } = observed;
    const entry = repairs.machines[name];
    const isUnderWay = entry?.state === "restarting" || entry?.state === "replacing";
    const isOpen = isUnderWay && !entry.isRequested;
    const due = isOpen ? entry.state : dueState(node, entry, observed, plan);
    if (due === undefined || due === "recovered") return undefined;
    const quorum = node.isController && due === "restarting" ? quorumProblem(node, observed) : undefined;
    const state = quorum?.isForGood ? "manual" : due;
    const obstacle =
        hold ??
        massProblem(observed) ??
        (state === "manual" ? undefined : (quorum?.why ?? (isOpen ? undefined : budgetProblem(node, observed, plan))));
    if (obstacle !== undefined) return { do: "wait", why: `${name} is not Ready: ${obstacle}`, isPending: true };
    if (isOpen && state !== "manual") return paused.has(name) ? undefined : { do: "call", node: name, what: state };
    const restarts = (entry?.restarts ?? 0) + (state === "restarting" ? 1 : 0);
    const lasting = `not Ready for ${Math.round(node.notReadySeconds / 60)} min`;
    const after = restarts > 0 && state !== "restarting" ? `, after ${restarts} restart${restarts > 1 ? "s" : ""}` : "";
    const why = `${lasting}${after}${quorum?.isForGood ? `, and ${quorum.why}` : ""}`;
    return {
        do: "write",
        node: name,
        entry: { uid, state, why, restarts },
        ...(state === "replacing" && { replacedIn: pool }),
        notice: notices[state](name, why),
    };
}

const notices = {
    restarting: (name: string, why: string) => warning("MachineRestart", `the machine of ${name} is restarted: ${why}`),
    replacing: (name: string, why: string) => warning("MachineReplacement", `${name} is replaced: ${why}`),
    manual: (name: string, why: string) => warning("MachineNeedsRepair", `only a person can repair ${name}: ${why}`),
};

/** What is to become of a machine that is not Ready, whatever the others are. */
function dueState(
    node: NodeFacts,
    entry: Repair | undefined,
    { secondsSince }: Observed,
    plan: NodeRepairerPlan,
): Repair["state"] | undefined {
    const { notReadySeconds } = node;
    const { restartAfter, replaceAfter } = plan;
    const { restarts, replaces } = abilities(plan, node);
    const last = replaces ? "replacing" : "manual";
    const seconds = entry === undefined ? 0 : secondsSince(entry.since);
    switch (entry?.state) {
        case "manual":
            return undefined;
        case "replacing":
            return seconds >= replacingSeconds ? "manual" : undefined;
        case "restarting":
            return seconds >= replaceAfter - restartAfter && notReadySeconds >= replaceAfter ? last : undefined;
    }
    if (!restarts) return notReadySeconds >= restartAfter ? last : undefined;
    const past = entry?.restarts ?? 0;
    if (past >= mostRestarts) return notReadySeconds >= replaceAfter ? last : undefined;
    return notReadySeconds >= restartAfter * 2 ** past ? "restarting" : undefined;
}

/** Machines that wait for a person are known to be down, and say nothing about the network. */
function massProblem({ nodes, repairs }: Observed): string | undefined {
    const counted = nodes.filter(({ name }) => repairs.machines[name]?.state !== "manual");
    const notReady = counted.filter(({ isReady }) => !isReady);
    if (notReady.length <= Math.max(1, Math.floor(counted.length * massShare))) return undefined;
    return `so are ${notReady.length} of ${counted.length} nodes, which is probably the network or the API`;
}

function budgetProblem(node: NodeFacts, observed: Observed, plan: NodeRepairerPlan): string | undefined {
    const { nodes, repairs } = observed;
    const pool = nodes.filter((each) => each.pool === node.pool);
    const others = pool.filter(({ name }) => name !== node.name);
    const inState = (state: Repair["state"]) => others.filter(({ name }) => repairs.machines[name]?.state === state);
    const recent = repairs.replaced.filter((each) => each.pool === node.pool && isRecent(each, observed));
    const used = inState("restarting").length + Math.max(inState("replacing").length, recent.length);
    const most = Math.max(1, Math.floor((pool.length * plan.maxUnavailablePercentage) / 100));
    if (used < most) return undefined;
    return `${used} of at most ${most} machines of ${node.pool} are under repair, or were replaced in the last hour`;
}

export function isRecent({ at }: Repairs["replaced"][number], { secondsSince }: Observed): boolean {
    return secondsSince(at) < replacedSeconds;
}

/** Why a controller's machine must stay as it is: its member may still be needed. */
function quorumProblem(
    { name }: NodeFacts,
    { nodes, members }: Observed,
): { readonly why: string; readonly isForGood: boolean } | undefined {
    if (members === undefined) return { why: "the state of etcd is unknown", isForGood: false };
    const others = members.filter((member) => member.name !== name);
    if (others.length < Math.floor(members.length / 2) + 1) {
        return { why: "etcd would have no majority without it", isForGood: true };
    }
    const isUp = (node: string) => nodes.some((each) => each.name === node && each.isReady);
    const bad = others.find((each) => each.problem !== undefined || each.isLearner || !isUp(each.name));
    return bad && { why: `etcd needs it, because ${bad.name || "a new member"} is no healthy voter`, isForGood: false };
}
