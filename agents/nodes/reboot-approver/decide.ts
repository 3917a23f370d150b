import { type Notice, warning } from "../../../clients/kubernetes/node-event";
import type { RebootTurn } from "../../../clients/kubernetes/reboot-turn";

/** What is seen of the cluster. */
export interface Sight {
    readonly nodes: readonly NodeSight[];
    /** Whose turn it is. @default - nobody's */
    readonly turn?: RebootTurn;
    /** What of the cluster is not whole, its nodes apart. */
    readonly problems: readonly string[];
    /** Seconds since 1970 until which reboots may begin. @default - none may now */
    readonly openUntil?: number;
    /** Seconds for which whose turn it is has not been Ready. */
    readonly awaySeconds: number;
}

export interface NodeSight {
    readonly name: string;
    readonly uid: string;
    readonly isController: boolean;
    readonly isReady: boolean;
    /** Its agent has cordoned it: to change its kubelet, or to reboot. */
    readonly isAtWork: boolean;
    /** It is being removed from the cluster. */
    readonly isLeaving: boolean;
    /** The boot in which its OS asks for a reboot. @default - it does not */
    readonly asked?: string;
}

export interface Decision {
    /** Whose turn it is from now on. @default - nobody's */
    readonly turn?: RebootTurn;
    /** In words, for the log: said when it is news. */
    readonly why: string;
    /** What people are told of the node whose turn it is. */
    readonly notice?: Notice;
}

/** Seconds after which people are told of a node that does not come back. */
const overdueSeconds = 900;

/**
 * Whose turn it is to reboot: one node's in the whole cluster, and nobody's while anything else is amiss.
 *
 * A turn is claimed first and confirmed at the next look: a node-agent that is about to change a kubelet cordons its node and then
 * looks for a turn, so that one of the two sees the other. It ends with the node's request, or with the Node.
 */
export function decideTurn(sight: Sight): Decision {
    const { nodes, turn, openUntil } = sight;
    if (turn === undefined) {
        return decideNext(sight);
    }
    const holder = nodes.find(({ name }) => name === turn.node);
    if (holder === undefined) {
        return { why: `the turn of ${turn.node} is over: there is no such node` };
    }
    if (holder.asked !== turn.request) {
        return { why: `the turn of ${turn.node} is over` };
    }
    if (turn.until === undefined) {
        const problems = openUntil === undefined ? ["no window is open"] : problemsOf(sight);
        return problems.length > 0
            ? { why: `${turn.node} waits: ${problems.join("; ")}` }
            : { turn: { ...turn, until: openUntil! }, why: `${turn.node} may reboot` };
    }
    if (sight.awaySeconds < overdueSeconds) {
        return { turn, why: `it is the turn of ${turn.node}` };
    }
    const message = `the node has not been Ready for ${overdueSeconds / 60} minutes since its turn to reboot. No other node is rebooted before it is, or is deleted`;
    return { turn, why: `${turn.node}: ${message}`, notice: warning("OsRebootOverdue", message) };
}

function decideNext(sight: Sight): Decision {
    const [next] = sight.nodes.filter(({ asked }) => asked !== undefined).sort(byHarm);
    if (next === undefined) {
        return { why: "no node asks for a reboot" };
    }
    if (sight.openUntil === undefined) {
        return { why: `${next.name} waits for a window` };
    }
    const problems = problemsOf(sight);
    return problems.length > 0
        ? { why: `${next.name} waits: ${problems.join("; ")}` }
        : { turn: { node: next.name, request: next.asked! }, why: `${next.name} is next` };
}

/** Workers first: what an OS breaks is seen there with less harm. */
function byHarm(one: NodeSight, other: NodeSight): number {
    return Number(one.isController) - Number(other.isController) || (one.name < other.name ? -1 : 1);
}

function problemsOf({ nodes, problems }: Sight): string[] {
    const those = (what: string, is: (node: NodeSight) => boolean) =>
        nodes.filter(is).map(({ name }) => `${name} ${what}`);
    return [
        ...those("is not Ready", ({ isReady }) => !isReady),
        ...those("is being changed", ({ isAtWork }) => isAtWork),
        ...those("is being removed", ({ isLeaving }) => isLeaving),
        ...problems,
    ];
}

/** A time of the week, in UTC. */
export interface RebootWindow {
    /** Days on which it begins, 0 is Sunday. */
    readonly days: readonly number[];
    /** Minute of the day at which it begins. */
    readonly start: number;
    /** How long it lasts, a day at most. */
    readonly minutes: number;
}

const day = 86_400;

/** Until when a reboot may begin, if it may now: both in seconds since 1970. */
export function openUntil(windows: readonly RebootWindow[], now: number): number | undefined {
    const ends = windows.flatMap(({ days, start, minutes }) =>
        // One that began yesterday may last into today.
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
