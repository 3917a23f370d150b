import assert from "node:assert/strict";
import fc from "fast-check";
import { decide, type Memory, type Sight } from "../../../../agents/checkpointer/decide";
import { defaultTimings } from "../../../../agents/checkpointer/plan";

/** What happens to a node; each is followed by some seconds of peace. */
const events = [
    "pod dies",
    "pod starts",
    "pod serves",
    "pod fails",
    "pod is replaced",
    "API goes",
    "API comes",
    "runtime falls silent",
    "runtime speaks",
    "parent is removed",
    "parent is made anew",
    "Node is deleted",
    "Node is registered anew",
    "node is to leave",
    "node is to stay",
    "power is cut",
] as const;
type Event = (typeof events)[number];

/** A node with one parent, its checkpointer, and a kubelet that starts and stops copies as the directory says. */
class Node {
    now = 0;
    pod: "absent" | "alive" = "alive";
    serves = true;
    isAsSaved = true;
    isApiUp = true;
    isRuntimeUp = true;
    exists = true;
    hasNode = true;
    isLeaving = false;
    saved: string | undefined = "g1";
    active: string | undefined;
    memory: Memory = {};
    /** Since when the parent's pod is absent while the API is down and the runtime speaks: seconds. */
    lostSince?: number;

    constructor(
        readonly kind: Sight["kind"],
        readonly needsApi: boolean,
    ) {}

    sight(): Sight {
        const { kind, needsApi, saved, active, isAsSaved } = this;
        return {
            kind,
            needsApi,
            saved,
            active,
            isAsSaved,
            pod: this.isRuntimeUp ? this.pod : "unknown",
            serves: this.isRuntimeUp ? this.pod === "alive" && this.serves : "unknown",
            copyServes: active !== undefined && this.now % 7 !== 0,
            isUnplaced: this.isApiUp && !this.hasNode,
            isLeaving: this.isApiUp && this.hasNode && this.isLeaving,
            api: this.exists ? (this.isApiUp ? (this.pod === "alive" ? "listed" : "owed") : "unknown") : "gone",
        };
    }

    happen(event: Event): void {
        switch (event) {
            case "pod dies":
                this.pod = "absent";
                break;
            case "pod starts":
                this.pod = "alive";
                this.serves = false;
                break;
            case "pod serves":
                this.serves = this.pod === "alive";
                break;
            case "pod fails":
                this.serves = false;
                break;
            case "pod is replaced":
                Object.assign(this, { pod: "alive", serves: false, isAsSaved: false });
                break;
            case "API goes":
                this.isApiUp = false;
                break;
            case "API comes":
                this.isApiUp = true;
                break;
            case "runtime falls silent":
                this.isRuntimeUp = false;
                break;
            case "runtime speaks":
                this.isRuntimeUp = true;
                break;
            case "parent is removed":
                Object.assign(this, { exists: false, pod: "absent" });
                break;
            case "parent is made anew":
                this.exists = true;
                break;
            case "Node is deleted":
                this.hasNode = false;
                break;
            case "Node is registered anew":
                Object.assign(this, { hasNode: true, isLeaving: false });
                break;
            case "node is to leave":
                this.isLeaving = true;
                break;
            case "node is to stay":
                this.isLeaving = false;
                break;
            case "power is cut":
                // The checkpointer forgets what it saw; the disk does not.
                Object.assign(this, { pod: "absent", serves: false, isApiUp: false, memory: {}, lostSince: undefined });
        }
    }

    /** A second passes: the checkpointer looks and acts. */
    tick(): void {
        const before = this.sight();
        const { actions, memory } = decide(before, this.memory, this.now, defaultTimings);
        this.memory = memory;
        this.check(before, actions);
        for (const action of actions) {
            if (action === "activate") this.active = this.saved;
            if (action === "deactivate") this.active = undefined;
            if (action === "forget") this.saved = undefined;
            if (action === "release") this.pod = "absent";
        }
        if (before.isUnplaced && kindRunsBeside(before) && before.api !== "gone") {
            assert.notEqual(this.active, undefined, "a copy runs before the pods of a missing Node end");
        }
        const isLost =
            this.isRuntimeUp && this.pod === "absent" && !this.isApiUp && this.exists && this.saved !== undefined;
        this.lostSince = isLost ? (this.lostSince ?? this.now) : undefined;
        const { absentWithoutApi, absentInVain } = defaultTimings;
        const limit = this.needsApi ? absentInVain : absentWithoutApi;
        if (this.lostSince !== undefined && this.now - this.lostSince > limit) {
            assert.notEqual(this.active, undefined, "something stands in for a pod that is known not to run");
        }
        this.now += 1;
    }

    check(sight: Sight, actions: readonly string[]): void {
        const { kind, pod, api, serves, active, saved, isUnplaced, isLeaving } = sight;
        if (pod === "unknown" && api === "unknown") {
            assert.deepEqual(actions, [], "what is unknown changes nothing");
        }
        if (actions.includes("activate")) {
            assert.notEqual(pod, "unknown", "a copy starts only when the pod is known");
            assert.notEqual(api, "gone", "no copy of what is not to run");
            assert(!isLeaving, "no copy on a node that leaves");
            assert.notEqual(saved, undefined, "a copy is one of a checkpoint");
            if (kind === "exclusive") assert.equal(pod, "absent", "never two of which only one may run");
        }
        if (actions.includes("deactivate")) {
            assert.notEqual(active, undefined);
            const isReplaced = kind === "exclusive" ? pod === "alive" : serves === true && !isUnplaced;
            assert(
                isReplaced || api === "gone" || isLeaving,
                "a copy stops only for a pod that serves, or with its parent",
            );
        }
        if (actions.includes("release")) {
            assert(
                isUnplaced && active !== undefined && sight.copyServes,
                "a pod is released only to a copy that serves",
            );
        }
        if (actions.includes("forget")) {
            assert(
                api === "gone" || isLeaving,
                "nothing is forgotten but what the plan does not name, or a node that leaves has",
            );
        }
        if (kind === "exclusive" && pod === "alive" && active !== undefined) {
            assert(actions.includes("deactivate"), "the copy of an exclusive pod gives way at once");
        }
    }
}

function kindRunsBeside({ kind, pod, saved }: Sight): boolean {
    return kind === "overlapping" && pod !== "unknown" && saved !== undefined;
}

describe("over any sequence of events the checkpointer", () => {
    const sequence = fc.array(
        fc.record({ event: fc.constantFrom(...events), peace: fc.integer({ min: 0, max: 90 }) }),
        {
            maxLength: 40,
        },
    );
    for (const kind of ["overlapping", "exclusive"] as const) {
        it(`keeps its promises for a pod that is ${kind}`, () => {
            fc.assert(
                fc.property(sequence, fc.boolean(), (happenings, needsApi) => {
                    const node = new Node(kind, needsApi);
                    for (const { event, peace } of happenings) {
                        node.happen(event);
                        for (let second = 0; second <= peace; second++) node.tick();
                    }
                }),
                { numRuns: 500 },
            );
        });

        it(`ends with the ${kind} pod alone once it serves in peace, or with nothing once it is removed`, () => {
            fc.assert(
                fc.property(sequence, fc.boolean(), fc.boolean(), (happenings, needsApi, isRemoved) => {
                    const node = new Node(kind, needsApi);
                    for (const { event, peace } of happenings) {
                        node.happen(event);
                        for (let second = 0; second <= peace; second++) node.tick();
                    }
                    const last: Event[] = ["runtime speaks", "API comes", "Node is registered anew"];
                    last.push(
                        ...(isRemoved
                            ? ["parent is removed" as const]
                            : (["parent is made anew", "pod starts", "pod serves"] as const)),
                    );
                    for (const event of last) node.happen(event);
                    for (let second = 0; second <= 120; second++) node.tick();
                    assert.equal(node.active, undefined);
                    if (isRemoved) assert.equal(node.saved, undefined);
                }),
                { numRuns: 300 },
            );
        });
    }
});
