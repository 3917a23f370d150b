import assert from "node:assert/strict";
import fc from "fast-check";
import { decide, type Memory, type Observed } from "../../../../agents/checkpointer/decide";
import { defaultTimings } from "../../../../agents/checkpointer/plan";

/** Events of a node; each is followed by some quiet seconds. */
const events = [
    "pod dies",
    "pod starts",
    "pod serves",
    "pod fails",
    "containers die",
    "kubelet restarts",
    "pod is replaced",
    "API goes down",
    "API comes back",
    "runtime stops answering",
    "runtime answers",
    "parent is removed",
    "parent is recreated",
    "Node is deleted",
    "Node is registered again",
    "node is to be removed",
    "node is to be kept",
    "current checkpoint is damaged",
    "power fails",
] as const;
type Event = (typeof events)[number];

/** Seconds between two restarts of a container by the kubelet. */
const longestBackOff = 300;

/** A node with one parent, its checkpointer, and a kubelet that runs the copies in its directory. */
class Node {
    now = 0;
    pod: "absent" | "alive" = "alive";
    serves = true;
    /** Its containers ended: the kubelet restarts them, unless it does not know the pod. */
    isIdle = false;
    /** The kubelet has not been restarted without an API since it got the pod. */
    isKnown = true;
    isAsSaved = true;
    isApiUp = true;
    isRuntimeUp = true;
    exists = true;
    hasNode = true;
    isLeaving = false;
    saved: string | undefined = "g1";
    active: string | undefined;
    /** Generations whose files are damaged. */
    damaged = new Set<string>();
    memory: Memory = {};
    /** When its containers ended: seconds. */
    idleSince = 0;
    /**
     * Since when nothing but a copy would serve: the pod is absent, or its containers are and the kubelet does not know
     * it, while the API is down and the runtime answers. Seconds. The checkpointer counts both separately.
     */
    lostSince?: number;
    wasForgotten = false;

    constructor(
        readonly kind: Observed["kind"],
        readonly needsApi: boolean,
    ) {}

    observed(): Observed {
        const { kind, needsApi, saved, active, isAsSaved } = this;
        return {
            kind,
            needsApi,
            saved,
            active,
            isCopyDamaged: active !== undefined && this.damaged.has(active),
            hasDamage: this.damaged.size > 0,
            isAsSaved,
            pod: !this.isRuntimeUp ? "unknown" : this.pod === "alive" && this.isIdle ? "idle" : this.pod,
            serves: this.isRuntimeUp ? this.pod === "alive" && this.serves : "unknown",
            // One that is damaged may be running already.
            copyServes: active !== undefined && this.now % 7 !== 0,
            isUnplaced: this.isApiUp && !this.hasNode,
            isLeaving: this.isApiUp && this.hasNode && this.isLeaving,
            api: this.exists ? (this.isApiUp ? (this.pod === "alive" ? "listed" : "owed") : "unknown") : "removed",
        };
    }

    happen(event: Event): void {
        switch (event) {
            case "pod dies":
                this.pod = "absent";
                break;
            case "pod starts":
                Object.assign(this, { pod: "alive", serves: false, isIdle: false, isKnown: true });
                break;
            case "pod serves":
                this.serves = this.pod === "alive" && !this.isIdle;
                break;
            case "pod fails":
                this.serves = false;
                break;
            case "containers die":
                this.idleSince = this.isIdle ? this.idleSince : this.now;
                Object.assign(this, { isIdle: this.pod === "alive", serves: false });
                break;
            case "kubelet restarts":
                this.isKnown = this.isApiUp;
                break;
            case "pod is replaced":
                Object.assign(this, { pod: "alive", serves: false, isAsSaved: false, isIdle: false, isKnown: true });
                break;
            case "API goes down":
                this.isApiUp = false;
                break;
            case "API comes back":
                this.isApiUp = true;
                break;
            case "runtime stops answering":
                this.isRuntimeUp = false;
                break;
            case "runtime answers":
                this.isRuntimeUp = true;
                break;
            case "parent is removed":
                Object.assign(this, { exists: false, pod: "absent" });
                break;
            case "parent is recreated":
                this.exists = true;
                break;
            case "Node is deleted":
                this.hasNode = false;
                break;
            case "Node is registered again":
                Object.assign(this, { hasNode: true, isLeaving: false });
                break;
            case "node is to be removed":
                this.isLeaving = true;
                break;
            case "node is to be kept":
                this.isLeaving = false;
                break;
            case "current checkpoint is damaged":
                if (this.saved === undefined) break;
                this.damaged.add(this.saved);
                this.saved = this.saved === "g1" ? "g0" : undefined;
                break;
            case "power fails":
                // The checkpointer loses its memory; the disk stays.
                Object.assign(this, { pod: "absent", serves: false, isApiUp: false, memory: {}, lostSince: undefined });
        }
    }

    /** Restarts the pod's containers after the longest back-off, or once the API tells it about the pod. */
    kubeletWorks(): void {
        const learns = !this.isKnown && this.isApiUp;
        this.isKnown ||= learns;
        if (this.isIdle && this.isKnown && (learns || this.now - this.idleSince >= longestBackOff)) {
            this.isIdle = false;
        }
    }

    /** A second passes: the checkpointer observes and acts. */
    tick(): void {
        this.kubeletWorks();
        const before = this.observed();
        const { actions, memory } = decide(before, this.memory, this.now, defaultTimings);
        this.memory = memory;
        this.check(before, actions);
        for (const action of actions) {
            if (action === "activate") this.active = this.saved;
            if (action === "deactivate") this.active = undefined;
            if (action === "forget") Object.assign(this, { saved: undefined, damaged: new Set() });
            if (action === "release") this.pod = "absent";
        }
        if (before.isUnplaced && kindRunsNextTo(before) && before.api !== "removed") {
            assert.notEqual(this.active, undefined, "a copy runs before the pods of a missing Node end");
        }
        const isForgotten = this.pod === "alive" && this.isIdle && !this.isKnown;
        const isLost =
            this.isRuntimeUp &&
            (this.pod === "absent" || isForgotten) &&
            !this.isApiUp &&
            this.exists &&
            this.saved !== undefined;
        const isSame = isForgotten === this.wasForgotten;
        this.lostSince = isLost ? ((isSame ? this.lostSince : undefined) ?? this.now) : undefined;
        this.wasForgotten = isForgotten;
        const { absentWithoutApi, absentInVain, idle, idleAlone } = defaultTimings;
        const patience = !isForgotten ? 0 : this.kind === "overlapping" ? idle : idleAlone;
        const limit = patience + (this.needsApi ? absentInVain : absentWithoutApi);
        if (this.lostSince !== undefined && this.now - this.lostSince > limit) {
            assert.notEqual(this.active, undefined, "a copy replaces a pod that is known not to run");
        }
        this.now += 1;
    }

    check(observed: Observed, actions: readonly string[]): void {
        const { kind, pod, api, serves, active, saved, isUnplaced, isLeaving } = observed;
        if (pod === "unknown" && api === "unknown") {
            assert.deepEqual(actions, [], "what is unknown changes nothing");
        }
        if (actions.includes("activate")) {
            assert.notEqual(pod, "unknown", "a copy starts only if the pod's state is known");
            assert.notEqual(api, "removed", "no copy of a parent that should not run");
            assert(!isLeaving, "no copy on a node being removed");
            assert.notEqual(saved, undefined, "a copy comes from a checkpoint");
            const isForgotten = pod === "idle" && !this.isKnown && api === "unknown";
            if (kind === "exclusive") assert(pod === "absent" || isForgotten, "never two of an exclusive pod");
        }
        if (actions.includes("deactivate")) {
            assert.notEqual(active, undefined);
            const isReplaced =
                kind === "exclusive" ? pod === "alive" || pod === "idle" : serves === true && !isUnplaced;
            assert(
                isReplaced || api === "removed" || isLeaving,
                "a copy stops only for a serving pod, or with its parent",
            );
        }
        if (actions.includes("release")) {
            assert(
                isUnplaced && active !== undefined && observed.copyServes,
                "a pod is released only for a serving copy",
            );
        }
        if (actions.includes("forget")) {
            assert(
                api === "removed" || isLeaving,
                "checkpoints are removed only if the plan does not name the parent, or on a node being removed",
            );
        }
        if (kind === "exclusive" && pod === "alive" && active !== undefined) {
            assert(actions.includes("deactivate"), "the copy of an exclusive pod stops at once");
        }
    }
}

function kindRunsNextTo({ kind, pod, saved }: Observed): boolean {
    return kind === "overlapping" && pod !== "unknown" && saved !== undefined;
}

/** The pod is absent before a copy replaced its containers, whose kubelet does not know it. */
const absentAfterForgotten: { event: Event; peace: number }[] = [
    { event: "API goes down", peace: 0 },
    { event: "containers die", peace: 0 },
    { event: "kubelet restarts", peace: 40 },
    { event: "pod dies", peace: 10 },
];

describe("over any sequence of events the checkpointer", () => {
    const sequence = fc.array(
        fc.record({ event: fc.constantFrom(...events), peace: fc.integer({ min: 0, max: 360 }) }),
        {
            maxLength: 40,
        },
    );
    for (const kind of ["overlapping", "exclusive"] as const) {
        it(`keeps its invariants for a pod that is ${kind}`, () => {
            fc.assert(
                fc.property(sequence, fc.boolean(), (happenings, needsApi) => {
                    const node = new Node(kind, needsApi);
                    for (const { event, peace } of happenings) {
                        node.happen(event);
                        for (let second = 0; second <= peace; second++) node.tick();
                    }
                }),
                { numRuns: 500, examples: [[absentAfterForgotten, false]] },
            );
        });

        it(`ends with the ${kind} pod alone once it serves undisturbed, or with nothing once it is removed`, () => {
            fc.assert(
                fc.property(sequence, fc.boolean(), fc.boolean(), (happenings, needsApi, isRemoved) => {
                    const node = new Node(kind, needsApi);
                    for (const { event, peace } of happenings) {
                        node.happen(event);
                        for (let second = 0; second <= peace; second++) node.tick();
                    }
                    const last: Event[] = ["runtime answers", "API comes back", "Node is registered again"];
                    last.push(
                        ...(isRemoved
                            ? ["parent is removed" as const]
                            : (["parent is recreated", "pod starts", "pod serves"] as const)),
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
