import { type Notice, warning } from "../../../clients/kubernetes/nodes";
import type { RebootTurn } from "../../../clients/kubernetes/reboot-turn";

/** Observed state of the cluster. */
export interface Observed {
    readonly nodes: readonly NodeObservation[];
    /** Whose turn it is. @default - no node's */
    readonly turn?: RebootTurn;
    /** What is unhealthy in the cluster, apart from its nodes. */
    readonly problems: readonly string[];
    /** Seconds since 1970 until which reboots may start. @default - none may start now */
    readonly openUntil?: number;
    /** Seconds for which the node whose turn it is has not been Ready. */
    readonly notReadySeconds: number;
    /** Seconds since the node whose turn it is had to begin. */
    readonly lateSeconds: number;
}

export interface NodeObservation {
    readonly name: string;
    readonly uid: string;
    readonly isController: boolean;
    readonly isReady: boolean;
    /** Its agent has cordoned it, to change its kubelet or to reboot. */
    readonly isAtWork: boolean;
    /** It is being removed from the cluster. */
    readonly isLeaving: boolean;
    /** The boot in which its OS requests a reboot. @default - no request */
    readonly asked?: string;
}

export interface Decision {
    /** Whose turn it is from now on. @default - no node's */
    readonly turn?: RebootTurn;
    /** Reason for the log, written when it changes. */
    readonly why: string;
    /** Event of the node whose turn it is. */
    readonly notice?: Notice;
}

/** Seconds after which a node that does not come back, or does not use its turn, is reported. */
const overdueSeconds = 900;

/**
 * Decides whose turn it is to reboot: one node's in the whole cluster, and none while anything else is unhealthy.
 *
 * A turn is claimed first and confirmed in the next reconcile: a node-agent that is about to change a kubelet cordons
 * its node and then checks for a turn, so that one of the two sees the other. It ends with the node's request, or with
 * the Node.
 */
export function decideTurn(observed: Observed): Decision {
    const { nodes, turn, openUntil } = observed;
    if (turn === undefined) {
        return decideNext(observed);
    }
    const holder = nodes.find(({ name }) => name === turn.node);
    if (holder === undefined) {
        return { why: `the turn of ${turn.node} is over: the node no longer exists` };
    }
    if (holder.asked !== turn.request) {
        return { why: `the turn of ${turn.node} is over` };
    }
    if (turn.until === undefined) {
        const problems = openUntil === undefined ? ["no window is open"] : problemsOf(observed);
        return problems.length > 0
            ? { why: `${turn.node} is waiting: ${problems.join("; ")}` }
            : { turn: { ...turn, until: openUntil! }, why: `${turn.node} may reboot` };
    }
    const minutes = overdueSeconds / 60;
    const message =
        observed.notReadySeconds >= overdueSeconds
            ? `the node has not been Ready for ${minutes} minutes since its turn to reboot. No other node is rebooted until it is Ready or deleted`
            : observed.lateSeconds >= overdueSeconds
              ? `the node has not ended its turn to reboot, whose window closed more than ${minutes} minutes ago. No other node is rebooted until its node-agent works, or the node is deleted`
              : undefined;
    if (message === undefined) return { turn, why: `it is the turn of ${turn.node}` };
    return { turn, why: `${turn.node}: ${message}`, notice: warning("OsRebootOverdue", message) };
}

function decideNext(observed: Observed): Decision {
    const [next] = observed.nodes.filter(({ asked }) => asked !== undefined).sort(byHarm);
    if (next === undefined) {
        return { why: "no node requests a reboot" };
    }
    if (observed.openUntil === undefined) {
        return { why: `${next.name} is waiting for a window` };
    }
    const problems = problemsOf(observed);
    return problems.length > 0
        ? { why: `${next.name} is waiting: ${problems.join("; ")}` }
        : { turn: { node: next.name, request: next.asked! }, why: `${next.name} is next` };
}

/** Workers first: a problem with an OS update does less harm there. */
function byHarm(one: NodeObservation, other: NodeObservation): number {
    return Number(one.isController) - Number(other.isController) || (one.name < other.name ? -1 : 1);
}

function problemsOf({ nodes, problems }: Observed): string[] {
    const those = (what: string, is: (node: NodeObservation) => boolean) =>
        nodes.filter(is).map(({ name }) => `${name} ${what}`);
    return [
        ...those("is not Ready", ({ isReady }) => !isReady),
        ...those("is being changed", ({ isAtWork }) => isAtWork),
        ...those("is being removed", ({ isLeaving }) => isLeaving),
        ...problems,
    ];
}

/** A weekly time window, in UTC. */
export interface WeeklyWindow {
    /** Days on which it starts; 0 is Sunday. */
    readonly days: readonly number[];
    /** Minute of the day at which it starts. */
    readonly start: number;
    /** Its length, at most a day. */
    readonly minutes: number;
}

const day = 86_400;

/** Until when a reboot may start, if it may now: both in seconds since 1970. */
export function openUntil(windows: readonly WeeklyWindow[], now: number): number | undefined {
    const ends = windows.flatMap(({ days, start, minutes }) =>
        // One that started yesterday may last into today.
        [0, 1].flatMap((ago) => {
            const midnight = (Math.floor(now / day) - ago) * day;
            const begin = midnight + start * 60;
            const end = begin + minutes * 60;
            return days.includes(weekday(midnight)) && begin <= now && now < end ? [end] : [];
        }),
    );
    return ends.length === 0 ? undefined : Math.max(...ends);
}

function weekday(seconds: number): number {
    return new Date(seconds * 1000).getUTCDay();
}
