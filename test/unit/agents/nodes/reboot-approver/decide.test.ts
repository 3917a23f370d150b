import assert from "node:assert/strict";
import { decideTurn, type NodeSight, type Sight } from "../../../../../agents/nodes/reboot-approver/decide";

const node = (name: string, more: Partial<NodeSight> = {}): NodeSight => ({
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

const sight = (nodes: NodeSight[], more: Partial<Sight> = {}): Sight => ({
    nodes,
    problems: [],
    openUntil: 2000,
    awaySeconds: 0,
    ...more,
});

type Row = [title: string, sight: Sight, turn: Sight["turn"], why: RegExp];

const table: Row[] = [
    ["no node requests a reboot", sight([node("a")]), undefined, /no node requests a reboot/],
    ["no window is open", sight([node("b", asks)], { openUntil: undefined }), undefined, /b is waiting for a window/],
    ["one requests a reboot", sight([node("a"), node("b", asks)]), turn, /b is next/],
    [
        "a controller and workers request reboots",
        sight([node("a", { ...asks, isController: true }), node("c", asks), node("b", asks)]),
        turn,
        /b is next/,
    ],
    ["another is not Ready", sight([node("a", { isReady: false }), node("b", asks)]), undefined, /a is not Ready/],
    ["the node itself is not Ready", sight([node("b", { ...asks, isReady: false })]), undefined, /b is not Ready/],
    [
        "another is being changed",
        sight([node("a", { isAtWork: true }), node("b", asks)]),
        undefined,
        /a is being changed/,
    ],
    [
        "another is being removed",
        sight([node("a", { isLeaving: true }), node("b", asks)]),
        undefined,
        /a is being removed/,
    ],
    ["etcd is unhealthy", sight([node("b", asks)], { problems: ["etcd: no"] }), undefined, /b is waiting: etcd: no/],
    ["the turn is claimed", sight([node("a"), node("b", asks)], { turn }), confirmed, /b may reboot/],
    [
        "another is being changed since the turn was claimed",
        sight([node("a", { isAtWork: true }), node("b", asks)], { turn }),
        undefined,
        /b is waiting: a is being changed/,
    ],
    [
        "the window ends before the turn is confirmed",
        sight([node("b", asks)], { turn, openUntil: undefined }),
        undefined,
        /no window is open/,
    ],
    [
        "it reboots, and others request reboots",
        sight([node("a", asks), node("b", { ...asks, isReady: false, isAtWork: true })], { turn: confirmed }),
        confirmed,
        /turn of b/,
    ],
    [
        "it reboots when the window is over",
        sight([node("b", { ...asks, isReady: false })], { turn: confirmed, openUntil: undefined }),
        confirmed,
        /turn of b/,
    ],
    ["it withdrew its request", sight([node("a", asks), node("b")], { turn: confirmed }), undefined, /b is over/],
    ["it requests another one", sight([node("b", { asked: "x" })], { turn: confirmed }), undefined, /b is over/],
    [
        "it was deleted",
        sight([node("a", asks)], { turn: confirmed }),
        undefined,
        /b is over: the node no longer exists/,
    ],
];

describe("whose turn it is to reboot if", () => {
    for (const [title, seen, expected, why] of table) {
        it(title, () => {
            const decision = decideTurn(seen);
            assert.deepEqual(decision.turn, expected);
            assert.match(decision.why, why);
            assert.equal(decision.notice, undefined);
        });
    }

    it("it does not come back: it keeps its turn, and that is reported", () => {
        const seen = sight([node("a", asks), node("b", { ...asks, isReady: false })], { turn: confirmed });
        assert.equal(decideTurn({ ...seen, awaySeconds: 899 }).notice, undefined);
        const { notice, turn: still } = decideTurn({ ...seen, awaySeconds: 900 });
        assert.equal(notice?.reason, "OsRebootOverdue");
        assert.deepEqual(still, confirmed);
    });
});
