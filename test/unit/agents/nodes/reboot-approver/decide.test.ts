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
    ["nobody asks", sight([node("a")]), undefined, /no node asks/],
    ["no window is open", sight([node("b", asks)], { openUntil: undefined }), undefined, /b waits for a window/],
    ["one asks", sight([node("a"), node("b", asks)]), turn, /b is next/],
    [
        "a controller and workers ask",
        sight([node("a", { ...asks, isController: true }), node("c", asks), node("b", asks)]),
        turn,
        /b is next/,
    ],
    ["another is not Ready", sight([node("a", { isReady: false }), node("b", asks)]), undefined, /a is not Ready/],
    ["itself is not Ready", sight([node("b", { ...asks, isReady: false })]), undefined, /b is not Ready/],
    ["another is changed", sight([node("a", { isAtWork: true }), node("b", asks)]), undefined, /a is being changed/],
    ["another is removed", sight([node("a", { isLeaving: true }), node("b", asks)]), undefined, /a is being removed/],
    ["etcd is not whole", sight([node("b", asks)], { problems: ["etcd: no"] }), undefined, /b waits: etcd: no/],
    ["the turn is claimed", sight([node("a"), node("b", asks)], { turn }), confirmed, /b may reboot/],
    [
        "another is changed since the turn was claimed",
        sight([node("a", { isAtWork: true }), node("b", asks)], { turn }),
        undefined,
        /b waits: a is being changed/,
    ],
    [
        "the window ends before the turn is confirmed",
        sight([node("b", asks)], { turn, openUntil: undefined }),
        undefined,
        /no window is open/,
    ],
    [
        "it reboots, and others ask",
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
    ["it took its request back", sight([node("a", asks), node("b")], { turn: confirmed }), undefined, /b is over/],
    ["it asks for another", sight([node("b", { asked: "x" })], { turn: confirmed }), undefined, /b is over/],
    ["it was deleted", sight([node("a", asks)], { turn: confirmed }), undefined, /b is over: there is no such node/],
];

describe("whose turn it is to reboot when", () => {
    for (const [title, seen, expected, why] of table) {
        it(title, () => {
            const decision = decideTurn(seen);
            assert.deepEqual(decision.turn, expected);
            assert.match(decision.why, why);
            assert.equal(decision.notice, undefined);
        });
    }

    it("it does not come back: it stays its turn, and people are told", () => {
        const seen = sight([node("a", asks), node("b", { ...asks, isReady: false })], { turn: confirmed });
        assert.equal(decideTurn({ ...seen, awaySeconds: 899 }).notice, undefined);
        const { notice, turn: still } = decideTurn({ ...seen, awaySeconds: 900 });
        assert.equal(notice?.reason, "OsRebootOverdue");
        assert.deepEqual(still, confirmed);
    });
});
