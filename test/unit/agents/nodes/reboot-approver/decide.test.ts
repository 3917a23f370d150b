import assert from "node:assert/strict";
import { decideTurn, type NodeObservation, type Observed } from "../../../../../agents/nodes/reboot-approver/decide";

const node = (name: string, more: Partial<NodeObservation> = {}): NodeObservation => ({
    name,
    uid: `uid of ${name}`,
    isController: false,
    isReady: true,
    isAtWork: false,
    isLeaving: false,
    ...more,
});
const asks = { asked: "boot" };
const turn = { node: "b", request: "boot" };
const confirmed = { ...turn, until: 2000 };

const observed = (nodes: NodeObservation[], more: Partial<Observed> = {}): Observed => ({
    nodes,
    problems: [],
    openUntil: 2000,
    notReadySeconds: 0,
    lateSeconds: 0,
    ...more,
});

type Row = [title: string, observed: Observed, turn: Observed["turn"], why: RegExp];

const table: Row[] = [
    ["no node requests a reboot", observed([node("a")]), undefined, /no node requests a reboot/],
    [
        "no window is open",
        observed([node("b", asks)], { openUntil: undefined }),
        undefined,
        /b is waiting for a window/,
    ],
    ["one requests a reboot", observed([node("a"), node("b", asks)]), turn, /b is next/],
    [
        "a controller and workers request reboots",
        observed([node("a", { ...asks, isController: true }), node("c", asks), node("b", asks)]),
        turn,
        /b is next/,
    ],
    ["another is not Ready", observed([node("a", { isReady: false }), node("b", asks)]), undefined, /a is not Ready/],
    ["the node itself is not Ready", observed([node("b", { ...asks, isReady: false })]), undefined, /b is not Ready/],
    [
        "another is being changed",
        observed([node("a", { isAtWork: true }), node("b", asks)]),
        undefined,
        /a is being changed/,
    ],
    [
        "another is being removed",
        observed([node("a", { isLeaving: true }), node("b", asks)]),
        undefined,
        /a is being removed/,
    ],
    ["etcd is unhealthy", observed([node("b", asks)], { problems: ["etcd: no"] }), undefined, /b is waiting: etcd: no/],
    ["the turn is claimed", observed([node("a"), node("b", asks)], { turn }), confirmed, /b may reboot/],
    [
        "another is being changed since the turn was claimed",
        observed([node("a", { isAtWork: true }), node("b", asks)], { turn }),
        undefined,
        /b is waiting: a is being changed/,
    ],
    [
        "the window ends before the turn is confirmed",
        observed([node("b", asks)], { turn, openUntil: undefined }),
        undefined,
        /no window is open/,
    ],
    [
        "it reboots, and others request reboots",
        observed([node("a", asks), node("b", { ...asks, isReady: false, isAtWork: true })], { turn: confirmed }),
        confirmed,
        /turn of b/,
    ],
    [
        "it reboots when the window is over",
        observed([node("b", { ...asks, isReady: false })], { turn: confirmed, openUntil: undefined }),
        confirmed,
        /turn of b/,
    ],
    ["it withdrew its request", observed([node("a", asks), node("b")], { turn: confirmed }), undefined, /b is over/],
    ["it requests another one", observed([node("b", { asked: "x" })], { turn: confirmed }), undefined, /b is over/],
    [
        "it was deleted",
        observed([node("a", asks)], { turn: confirmed }),
        undefined,
        /b is over: the node no longer exists/,
    ],
];

describe("whose turn it is to reboot if", () => {
    for (const [title, state, expected, why] of table) {
        it(title, () => {
            const decision = decideTurn(state);
            assert.deepEqual(decision.turn, expected);
            assert.match(decision.why, why);
            assert.equal(decision.notice, undefined);
        });
    }

    it("it does not come back: it keeps its turn, and that is reported", () => {
        const state = observed([node("a", asks), node("b", { ...asks, isReady: false })], { turn: confirmed });
        assert.equal(decideTurn({ ...state, notReadySeconds: 899 }).notice, undefined);
        const { notice, turn: still } = decideTurn({ ...state, notReadySeconds: 900 });
        assert.equal(notice?.reason, "OsRebootOverdue");
        assert.deepEqual(still, confirmed);
    });

    it("its node-agent does not use its turn: it keeps it, and that is reported", () => {
        const state = observed([node("a", asks), node("b", asks)], { turn: confirmed });
        assert.equal(decideTurn({ ...state, lateSeconds: 899 }).notice, undefined);
        const { notice, turn: still } = decideTurn({ ...state, lateSeconds: 900 });
        assert.equal(notice?.reason, "OsRebootOverdue");
        assert.match(notice!.message, /has not ended/);
        assert.deepEqual(still, confirmed);
    });
});
