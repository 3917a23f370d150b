import assert from "node:assert/strict";
import { type Action, decide, type Memory, type Observed } from "../../../../agents/checkpointer/decide";
import { defaultTimings as seconds } from "../../../../agents/checkpointer/plan";

/** All is well: the parent's own pod serves, and its checkpoint is on disk. */
const well: Observed = {
    kind: "overlapping",
    needsApi: false,
    saved: "g1",
    pod: "alive",
    serves: true,
    isAsSaved: true,
    api: "listed",
    isUnplaced: false,
    isLeaving: false,
};
const absent: Partial<Observed> = { pod: "absent", serves: false, isAsSaved: false };
const idle: Partial<Observed> = { pod: "idle", serves: false };
const copy: Partial<Observed> = { active: "g1" };
const broken: Partial<Observed> = { active: "g2", isCopyDamaged: true };
const exclusive: Partial<Observed> = { kind: "exclusive" };
const needing: Partial<Observed> = { needsApi: true };
const leaving: Partial<Observed> = { isLeaving: true };
const unplaced: Partial<Observed> = { isUnplaced: true };
const self: Partial<Observed> = { kind: "self" };
const draft = (more: Partial<NonNullable<Observed["draft"]>> = {}): Partial<Observed> => ({
    draft: { generation: "g2", isReady: true, hasCrashed: false, isSaved: false, ...more },
});

/** The decision after an observation has lasted for so long. */
function decidedAfter(duration: number, observed: Observed, memory: Memory = {}): readonly Action[] {
    const first = decide(observed, memory, 1000, seconds);
    return first.actions.length > 0 ? first.actions : decide(observed, first.memory, 1000 + duration, seconds).actions;
}

/** A row: observation, seconds, actions. A second less, and no action follows. */
const table: [string, Partial<Observed>, number, Action[]][] = [
    ["all is well", {}, 1e6, []],
    ["the API is down and the pod runs", { api: "unknown" }, 1e6, []],
    ["the runtime does not answer", { pod: "unknown", serves: "unknown", isAsSaved: false }, 1e6, []],
    ["neither the runtime nor the API answers", { pod: "unknown", serves: "unknown", api: "unknown" }, 1e6, []],
    ["the pod is absent, and the API is down", { ...absent, api: "unknown" }, seconds.absentWithoutApi, ["activate"]],
    [
        "a pod that needs the API is absent, and the API is down",
        { ...needing, ...absent, api: "unknown" },
        seconds.absentInVain,
        ["activate"],
    ],
    [
        "a pod that needs the API is absent, and the API owes one",
        { ...needing, ...absent, api: "owed" },
        seconds.absent,
        ["activate"],
    ],
    ["the pod is absent, and the API lists one", absent, seconds.absent, ["activate"]],
    ["the pod is absent, and the API owes one", { ...absent, api: "owed" }, seconds.absent, ["activate"]],
    ["the pod is absent, and the parent is removed", { ...absent, api: "removed" }, seconds.removed, ["forget"]],
    ["the pod is absent, and there is no checkpoint", { ...absent, saved: undefined }, 1e6, []],
    ["the pod is absent, and its copy is active", { ...absent, ...copy }, 1e6, []],
    ["the pod is absent, its copy is active, the API down", { ...absent, ...copy, api: "unknown" }, 1e6, []],
    ["files of the copy are damaged, and the API is down", { ...absent, ...broken, api: "unknown" }, 0, ["activate"]],
    ["files of the copy are damaged next to a failing pod", { ...broken, serves: false }, 0, ["activate"]],
    ["files of an exclusive pod's copy are damaged", { ...exclusive, ...absent, ...broken }, 0, ["activate"]],
    ["files of an exclusive pod's copy are damaged, and it runs", { ...exclusive, ...broken }, 0, ["deactivate"]],
    ["files of the copy are damaged, and it serves", { ...absent, ...broken, copyServes: true }, 1e6, []],
    ["files of the copy are damaged, and no checkpoint is whole", { ...absent, ...broken, saved: undefined }, 1e6, []],
    ["files of the copy are damaged, and the runtime does not answer", { ...broken, pod: "unknown" }, 1e6, []],
    ["files of the copy are damaged, on a leaving node", { ...leaving, ...broken }, 0, ["deactivate", "forget"]],
    [
        "the only checkpoint is damaged, on a leaving node",
        { ...leaving, saved: undefined, hasDamage: true },
        0,
        ["forget"],
    ],
    ["the pod serves alongside its copy", copy, seconds.served, ["deactivate"]],
    [
        "the pod serves alongside its copy, and the API is down",
        { ...copy, api: "unknown" },
        seconds.served,
        ["deactivate"],
    ],
    ["the pod runs alongside its copy and does not serve", { ...copy, serves: false }, 1e6, []],
    ["the pod runs and does not serve", { serves: false }, seconds.unserved, ["activate"]],
    ["the pod runs and does not serve, and the API is down", { serves: false, api: "unknown" }, 1e6, []],
    ["no container of the pod runs", { ...idle, api: "listed" }, seconds.unserved, ["activate"]],
    ["an exclusive pod's containers do not run, and the API knows it", { ...exclusive, ...idle }, 1e6, []],
    [
        "an exclusive pod's containers do not run alongside its copy",
        { ...exclusive, ...idle, ...copy },
        0,
        ["deactivate"],
    ],
    [
        "the running pod is not the saved one, and does not serve",
        { serves: false, isAsSaved: false },
        seconds.unserved,
        ["activate"],
    ],
    [
        "a copy is active and its parent is removed",
        { ...absent, ...copy, api: "removed" },
        seconds.removed,
        ["deactivate", "forget"],
    ],
    [
        "a copy is active, its parent is removed, the runtime does not answer",
        { ...copy, pod: "unknown", api: "removed" },
        seconds.removed,
        ["deactivate", "forget"],
    ],
    [
        "an exclusive pod is absent, and the API is down",
        { ...exclusive, ...absent, api: "unknown" },
        seconds.absentWithoutApi,
        ["activate"],
    ],
    ["an exclusive pod is absent, and the API lists one", { ...exclusive, ...absent }, 1e6, []],
    [
        "an exclusive pod is absent, and the API owes one",
        { ...exclusive, ...absent, api: "owed" },
        seconds.absent,
        ["activate"],
    ],
    ["an exclusive pod runs alongside its copy", { ...exclusive, ...copy, serves: false }, 0, ["deactivate"]],
    [
        "an exclusive pod's copy is active and its parent is removed",
        { ...exclusive, ...absent, ...copy, api: "removed" },
        seconds.served,
        ["deactivate"],
    ],
    ["an exclusive pod runs and does not serve", { ...exclusive, serves: false, isAsSaved: false }, 1e6, []],
    ["the pod serves on a node being removed", leaving, 0, ["forget"]],
    ["the pod serves on a node being removed, nothing is saved", { ...leaving, saved: undefined, ...draft() }, 1e6, []],
    ["a copy is active on a node being removed", { ...leaving, ...absent, ...copy }, 0, ["deactivate", "forget"]],
    [
        "a copy is active on a node being removed, and the runtime does not answer",
        { ...leaving, ...copy, pod: "unknown", serves: "unknown" },
        0,
        ["deactivate", "forget"],
    ],
    [
        "an exclusive pod is owed to a node being removed",
        { ...leaving, ...exclusive, ...absent, api: "owed" },
        0,
        ["forget"],
    ],
    ["nothing is left on a node being removed", { ...leaving, ...absent, saved: undefined, api: "removed" }, 1e6, []],
    [
        "nothing is left on a node that was removed, and the API is down",
        { ...absent, saved: undefined, api: "unknown" },
        1e6,
        [],
    ],
    ["the Node is missing and the pod serves", unplaced, 0, ["activate"]],
    ["the Node is missing and a pod that needs the API serves", { ...unplaced, ...needing }, 0, ["activate"]],
    ["the Node is missing and the pod serves next to its copy", { ...unplaced, ...copy }, 1e6, []],
    [
        "the Node is missing and the copy serves next to the pod",
        { ...unplaced, ...copy, copyServes: true },
        seconds.served,
        ["release"],
    ],
    ["the Node is missing and the copy does not serve yet", { ...unplaced, ...copy, copyServes: false }, 1e6, []],
    [
        "the Node is missing, the copy serves and the API terminates the pod",
        { ...unplaced, ...copy, copyServes: true, api: "owed" },
        1e6,
        [],
    ],
    ["the Node is missing and the copy runs alone", { ...unplaced, ...absent, ...copy, api: "owed" }, 1e6, []],
    ["the Node is missing and nothing is saved", { ...unplaced, saved: undefined, ...absent, api: "owed" }, 1e6, []],
    [
        "the Node is missing and the runtime does not answer",
        { ...unplaced, pod: "unknown", serves: "unknown" },
        1e6,
        [],
    ],
    ["the Node is missing and an exclusive pod runs", { ...unplaced, ...exclusive }, 1e6, []],
    [
        "the Node is missing and so is an exclusive pod",
        { ...unplaced, ...exclusive, ...absent, api: "owed" },
        seconds.absent,
        ["activate"],
    ],
    ["the Node is missing and the checkpointer has its copy in place", { ...self, ...unplaced, ...copy }, 1e6, []],
    ["the checkpointer's node is being removed", { ...self, ...copy, ...leaving }, 1e6, []],
    ["a first pod is Ready", { saved: undefined, ...draft() }, seconds.settleFirst, ["save"]],
    ["a first pod is not Ready", { saved: undefined, ...draft({ isReady: false }) }, 1e6, []],
    ["a changed pod is Ready", draft(), seconds.settle, ["save"]],
    ["a changed pod is Ready and has crashed before", draft({ hasCrashed: true }), seconds.settleAfterCrash, ["save"]],
    ["a changed pod is not Ready", draft({ isReady: false }), 1e6, []],
    ["the pod is the one that was saved", draft({ generation: "g1", isSaved: true }), 1e6, []],
    ["the checkpointer has no copy in place", self, 0, ["activate"]],
    ["the checkpointer has an old copy in place", { ...self, active: "g0" }, 0, ["activate"]],
    ["the checkpointer has its copy in place", { ...self, ...copy }, 1e6, []],
    ["a changed checkpointer works", { ...self, ...copy, ...draft() }, seconds.settle, ["save", "activate"]],
    ["the checkpointer's DaemonSet is removed", { ...self, ...absent, ...copy, api: "removed" }, 1e6, []],
];

describe("what the checkpointer decides", () => {
    for (const [what, state, duration, actions] of table) {
        const observed = { ...well, ...state };
        it(`when ${what}: ${actions.join(", ") || "nothing"}`, () => {
            assert.deepEqual(decidedAfter(duration, observed), actions);
            if (duration > 1 && actions.length > 0) {
                assert.notDeepEqual(decidedAfter(duration - 1, observed), actions, "a second less");
            }
        });
    }

    it("keeps a copy until the pod has served for its time since the Node is back", () => {
        const away = { ...well, ...copy, ...unplaced };
        const { memory } = decide(away, decide(away, {}, 0, seconds).memory, 100, seconds);
        const back = { ...well, ...copy };
        const first = decide(back, memory, 101, seconds);
        assert.deepEqual(first.actions, []);
        assert.deepEqual(decide(back, first.memory, 101 + seconds.served, seconds).actions, ["deactivate"]);
    });

    it("restarts a count when its condition becomes unknown in between", () => {
        const removed: Observed = { ...well, ...absent, api: "unknown" };
        const unknown: Observed = { ...removed, pod: "unknown" };
        const long = seconds.absentWithoutApi;
        let memory = decide(removed, {}, 0, seconds).memory;
        memory = decide(unknown, memory, long / 2, seconds).memory;
        const again = decide(removed, memory, long, seconds);
        assert.deepEqual(again.actions, []);
        assert.deepEqual(decide(removed, again.memory, 2 * long, seconds).actions, ["activate"]);
    });

    it("keeps a copy for longer alongside a pod that has failed before", () => {
        const failing: Observed = { ...well, serves: false, isAsSaved: false };
        const first = decide(failing, {}, 0, seconds);
        const { actions, memory } = decide(failing, first.memory, seconds.unserved, seconds);
        assert.deepEqual(actions, ["activate"]);
        const serving: Observed = { ...well, ...copy, isAsSaved: false };
        assert.deepEqual(decidedAfter(seconds.servedAfterFailure - 1, serving, memory), []);
        assert.deepEqual(decidedAfter(seconds.servedAfterFailure, serving, memory), ["deactivate"]);
    });

    for (const [what, more, after] of [
        ["a pod", {}, seconds.idle + seconds.absentWithoutApi],
        ["a pod that needs the API", needing, seconds.idle + seconds.absentInVain],
        ["an exclusive pod", exclusive, seconds.idleAlone + seconds.absentWithoutApi],
    ] as const) {
        it(`starts the copy of ${what} whose containers a restarted kubelet does not know`, () => {
            const forgotten: Observed = { ...well, ...idle, ...more, api: "unknown" };
            let memory: Memory = {};
            const startedAt = [...Array(500).keys()].find((second) => {
                const decision = decide(forgotten, memory, second, seconds);
                memory = decision.memory;
                return decision.actions.includes("activate");
            });
            assert.equal(startedAt, after);
            // The copy runs until the API, and with it the kubelet, knows the pod again.
            assert.deepEqual(decide({ ...forgotten, ...copy }, memory, after + 9, seconds).actions, []);
        });
    }

    it("starts no copy of a saved pod that the kubelet restarts while the API is down", () => {
        let memory: Memory = {};
        for (let second = 0; second < 600; second++) {
            const isIdle = second % seconds.idle > 0;
            const observed: Observed = { ...well, ...(isIdle ? idle : { serves: false }), api: "unknown" };
            const decision = decide(observed, memory, second, seconds);
            assert.deepEqual(decision.actions, [], `after ${second} s`);
            memory = decision.memory;
        }
    });

    it("restarts the count for a pod that changes while it settles", () => {
        const observed = (generation: string): Observed => ({ ...well, ...draft({ generation }) });
        const { memory } = decide(observed("g2"), {}, 0, seconds);
        assert.deepEqual(decide(observed("g3"), memory, seconds.settle, seconds).actions, []);
    });
});
