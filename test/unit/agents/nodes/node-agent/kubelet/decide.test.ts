import assert from "node:assert/strict";
import {
    decide,
    type Journal,
    type NodeObservation,
    type Observed,
} from "../../../../../../agents/nodes/node-agent/kubelet/decide";
import { defaultLimits as limits } from "../../../../../../agents/nodes/node-agent/plan";
import { newer, node, observed, older } from "../example";

const idle: Journal = { phase: "idle" };
const upgrading: Journal = { phase: "upgrading", from: older, to: newer, isSwitched: true };
const reverting: Journal = {
    phase: "reverting",
    from: older,
    to: newer,
    reason: "it broke",
    attempts: 0,
    isSwitched: true,
};
const failed: Journal = { phase: "failed", to: newer, reason: "it broke", pod: "pod" };

/** The decision after a journal and an observation have held for that many seconds. */
function decidedAfter(seconds: number, journal: Journal, state: Observed) {
    const first = decide(journal, state, undefined, 1000, limits);
    return decide(journal, state, first.memory, 1000 + seconds, limits);
}

type Row = [
    title: string,
    journal: Journal,
    node: Partial<NodeObservation> | "unknown",
    rest: Partial<Observed>,
    seconds: number,
    expected: { actions?: string[]; phase?: Journal["phase"]; notReadyBecause?: RegExp; notice?: string },
];

const at = (version: string, more: Partial<NodeObservation> = {}): Partial<NodeObservation> => ({ version, ...more });
const ours = { isCordoned: true, isOurs: true };
const selected = { selected: newer, running: newer };

const table: Row[] = [
    ["the kubelet is the desired one", idle, at("1.36.3"), selected, 9999, {}],
    ["the API does not answer", idle, "unknown", {}, 9999, { notReadyBecause: /the API does not answer/ }],
    [
        "the kubelet is the desired one, but not Ready",
        idle,
        at("1.36.3", { isReady: false }),
        selected,
        9,
        { notReadyBecause: /not Ready/ },
    ],
    [
        "the kubelet is the desired one, but unhealthy",
        idle,
        at("1.36.3"),
        { ...selected, isHealthy: false },
        9,
        { notReadyBecause: /not Rea/ },
    ],
    [
        "the kubelet is the desired one, and the agent cordoned the node",
        idle,
        at("1.36.3", ours),
        selected,
        0,
        { actions: ["uncordon"], notReadyBecause: /uncordoned/ },
    ],
    [
        "the kubelet is the desired one, and a user cordoned the node",
        idle,
        at("1.36.3", { isCordoned: true }),
        selected,
        9,
        {},
    ],
    ["a node being removed has another kubelet", idle, at("1.35.4", { isLeaving: true }), {}, 9, {}],
    ["a node being removed was cordoned by the agent", idle, at("1.35.4", { ...ours, isLeaving: true }), {}, 9, {}],
    [
        "the kubelet is the desired one, and waits for a certificate",
        idle,
        at("1.36.3"),
        { ...selected, issuance: "awaited" },
        9,
        { notReadyBecause: /waits for a certificate/ },
    ],
    [
        "the kubelet is the desired one, and its certificate is from another CA",
        idle,
        at("1.36.3", ours),
        { ...selected, issuance: "others" },
        0,
        { actions: ["switch"], phase: "upgrading", notReadyBecause: /switching from/, notice: "KubeletUpgrading" },
    ],
    [
        "the new kubelet waits for a certificate for too long",
        upgrading,
        at("1.36.3", ours),
        { ...selected, issuance: "awaited" },
        limits.ready,
        {
            actions: ["switch"],
            phase: "reverting",
            notReadyBecause: /waits for a certificate/,
            notice: "KubeletReverting",
        },
    ],
    [
        "the annotation names a version that is not pinned",
        idle,
        at("1.35.4"),
        { desired: { refusal: "no such" } },
        0,
        { notReadyBecause: /no such/, notice: "KubeletVersionRefused" },
    ],
    [
        "the kubelet must be downloaded",
        idle,
        at("1.35.4"),
        { isHere: false },
        0,
        { actions: ["fetch"], notReadyBecause: /fetched/ },
    ],
    [
        "the kubelet can't be downloaded",
        idle,
        at("1.35.4"),
        { isHere: false, fetchProblem: "404" },
        0,
        { actions: ["fetch"], notReadyBecause: /fetched/, notice: "KubeletFetchFailed" },
    ],
    [
        "no apiserver reports its version",
        idle,
        at("1.35.4"),
        { apiVersion: undefined },
        9999,
        { notReadyBecause: /reports its ver/ },
    ],
    [
        "the apiserver is older",
        idle,
        at("1.35.4"),
        { apiVersion: "1.35.4" },
        9999,
        { notReadyBecause: /must not be newer/, notice: "KubeletWaitsForApiserver" },
    ],
    [
        "the apiserver has another patch version",
        idle,
        at("1.35.4"),
        { apiVersion: "1.36.0" },
        0,
        { actions: ["cordon"], notReadyBecause: /cordoned/ },
    ],
    [
        "the node is not Ready",
        idle,
        at("1.35.4", { isReady: false }),
        {},
        9999,
        { notReadyBecause: /waiting for the node/ },
    ],
    [
        "the node must be cordoned",
        idle,
        at("1.35.4"),
        { left: ["n/p to be evicted"] },
        0,
        { actions: ["cordon"], notReadyBecause: /cord/ },
    ],
    [
        "another node is being rebooted",
        idle,
        at("1.35.4"),
        { rebootOf: "other" },
        9999,
        { notReadyBecause: /waiting for the reboot of other/ },
    ],
    [
        "another node is being rebooted, as observed after the cordon",
        idle,
        at("1.35.4", ours),
        { rebootOf: "other", left: ["n/p to be evicted"] },
        9999,
        { notReadyBecause: /waiting for the reboot of other/ },
    ],
    [
        "pods are left",
        idle,
        at("1.35.4", ours),
        { left: ["n/p stays"] },
        limits.drain - 1,
        { actions: ["evict"], notReadyBecause: /n\/p/ },
    ],
    [
        "pods are left for too long",
        idle,
        at("1.35.4", ours),
        { left: ["n/p stays"] },
        limits.drain,
        { actions: ["evict"], notReadyBecause: /n\/p/, notice: "KubeletDrainBlocked" },
    ],
    [
        "the kubelet does not answer for a while",
        idle,
        at("1.35.4", ours),
        { isHealthy: false },
        limits.ready - 1,
        { notReadyBecause: /waiting for the node/ },
    ],
    [
        "the kubelet is dead, and terminates no pods",
        idle,
        at("1.35.4", { ...ours, isReady: false }),
        { isHealthy: false, left: ["n/p stays"] },
        limits.ready,
        { actions: ["switch"], phase: "upgrading", notReadyBecause: /switching from/, notice: "KubeletUpgrading" },
    ],
    [
        "no pods are left",
        idle,
        at("1.35.4", ours),
        {},
        0,
        { actions: ["switch"], phase: "upgrading", notReadyBecause: /switching from/, notice: "KubeletUpgrading" },
    ],
    [
        "a switch was interrupted",
        { ...upgrading, isSwitched: false },
        at("1.35.4", ours),
        {},
        0,
        { actions: ["switch"], phase: "upgrading", notReadyBecause: /waiting for kubelet/ },
    ],
    [
        "a switch was interrupted, and the API does not answer",
        { ...upgrading, isSwitched: false },
        "unknown",
        {},
        0,
        { actions: ["switch"], phase: "upgrading", notReadyBecause: /waiting for kubelet/ },
    ],
    [
        "the new kubelet starts",
        upgrading,
        at("1.35.4", ours),
        selected,
        limits.ready - 1,
        { phase: "upgrading", notReadyBecause: /waiting for kubelet/ },
    ],
    [
        "the new kubelet has just become Ready",
        upgrading,
        at("1.36.3", ours),
        selected,
        4,
        { phase: "upgrading", notReadyBecause: /waiting for kubelet/ },
    ],
    [
        "the new kubelet is Ready",
        upgrading,
        at("1.36.3", ours),
        selected,
        limits.settle,
        { phase: "idle", notReadyBecause: /waiting for kubelet/, notice: "KubeletUpgraded" },
    ],
    [
        "the new kubelet never registers",
        upgrading,
        at("1.35.4", ours),
        { ...selected, isHealthy: false },
        limits.ready,
        {
            actions: ["switch"],
            phase: "reverting",
            notReadyBecause: /its registered version is still 1\.35\.4/,
            notice: "KubeletReverting",
        },
    ],
    [
        "the new kubelet is never Ready",
        upgrading,
        at("1.36.3", { ...ours, isReady: false }),
        selected,
        limits.ready,
        {
            actions: ["switch"],
            phase: "reverting",
            notReadyBecause: /1\.36\.3 did not work within 180 s: the node is not Ready/,
            notice: "KubeletReverting",
        },
    ],
    [
        "a pod's kubelet keeps running instead of the new one, which does not start",
        upgrading,
        at("1.35.4", ours),
        { ...selected, running: older },
        limits.ready,
        {
            actions: ["switch"],
            phase: "reverting",
            notReadyBecause:
                /1\.36\.3 did not work within 180 s: .*its registered version is still 1\.35\.4, another kubelet is running/,
            notice: "KubeletReverting",
        },
    ],
    [
        "the state of the new kubelet is unknown",
        upgrading,
        "unknown",
        selected,
        limits.silent - 1,
        { phase: "upgrading", notReadyBecause: /waiting for kubelet/ },
    ],
    [
        "the API stopped answering after the new kubelet started",
        upgrading,
        "unknown",
        selected,
        limits.silent,
        {
            actions: ["switch"],
            phase: "reverting",
            notReadyBecause: /has not answered for 600 s/,
            notice: "KubeletReverting",
        },
    ],
    [
        "the revert was interrupted",
        { ...reverting, isSwitched: false },
        at("1.35.4", ours),
        {},
        0,
        { actions: ["switch"], phase: "reverting", notReadyBecause: /broke/ },
    ],
    [
        "the old kubelet starts",
        reverting,
        at("1.36.3", ours),
        {},
        limits.ready - 1,
        { phase: "reverting", notReadyBecause: /broke/ },
    ],
    [
        "the state of the old kubelet is unknown",
        reverting,
        "unknown",
        {},
        9999,
        { phase: "reverting", notReadyBecause: /broke/ },
    ],
    [
        "the old kubelet is Ready",
        reverting,
        at("1.35.4", ours),
        {},
        limits.settle,
        { phase: "failed", notReadyBecause: /it broke; kubelet 1\.35\.4 runs again/, notice: "KubeletUpgradeFailed" },
    ],
    [
        "the old kubelet is not Ready either",
        reverting,
        at("1.35.4", { ...ours, isReady: false }),
        {},
        limits.ready,
        {
            actions: ["switch"],
            phase: "reverting",
            notReadyBecause: /after the revert to 1\.35\.4 it is not Ready either/,
            notice: "KubeletLost",
        },
    ],
    [
        "it failed",
        failed,
        at("1.35.4", ours),
        {},
        9999,
        { phase: "failed", notReadyBecause: /broke/, notice: "KubeletUpgradeFailed" },
    ],
    [
        "it failed, and a user uncordoned the node",
        failed,
        at("1.35.4"),
        {},
        9,
        { actions: ["cordon"], phase: "failed", notReadyBecause: /broke/, notice: "KubeletUpgradeFailed" },
    ],
    [
        "it failed, and another kubelet is desired",
        failed,
        at("1.35.4", ours),
        { desired: older },
        0,
        { notReadyBecause: /broke/ },
    ],
    [
        "it failed, and the same version has another hash",
        failed,
        at("1.35.4", ours),
        { desired: { ...newer, sha256: "3".repeat(64) } },
        0,
        { notReadyBecause: /broke/ },
    ],
    [
        "it failed, and another pod retries",
        failed,
        at("1.35.4", ours),
        { pod: "other" },
        0,
        { notReadyBecause: /broke/ },
    ],
    [
        "the old kubelet is Ready, and the pod that gave up no longer exists",
        { ...reverting, pod: "earlier" },
        at("1.35.4", ours),
        {},
        limits.settle,
        { phase: "failed", notReadyBecause: /broke/ },
    ],
    ["it failed, and works after all", failed, at("1.36.3", ours), selected, 0, { notReadyBecause: /broke/ }],
];

describe("a new pod of the agent during another one's revert", () => {
    it("retries once that is done", () => {
        const notReady = node(at("1.36.3", { ...ours, isReady: false }));
        const given = decidedAfter(limits.ready, upgrading, observed({ ...selected, node: notReady }));
        const switched = { ...given.journal, isSwitched: true } as Journal;
        const back = observed({ node: node(at("1.35.4", ours)), pod: "next" });
        const { journal } = decidedAfter(limits.settle, switched, back);
        assert.equal(journal.phase, "failed");
        assert.deepEqual(decidedAfter(0, journal, back).journal, idle);
    });
});

describe("a kubelet's time", () => {
    it("to be drained goes on while the API does not answer", () => {
        const draining = observed({ node: node(at("1.35.4", ours)), left: ["n/p stays"] });
        const first = decide(idle, draining, undefined, 1000, limits);
        const half = decide(idle, draining, first.memory, 1000 + limits.drain / 2, limits);
        const unknown = decide(idle, { ...draining, node: "unknown" }, half.memory, 2000, limits);
        const { notice } = decide(idle, draining, unknown.memory, 2000 + limits.drain / 2, limits);
        assert.equal(notice?.reason, "KubeletDrainBlocked");
    });

    it("is up if it becomes Ready again and again, but does not stay so", () => {
        const [ready, notReady] = [true, false].map((isReady) =>
            observed({ ...selected, node: node(at("1.36.3", { ...ours, isReady })) }),
        );
        const { memory } = decide(upgrading, notReady!, undefined, 1000, limits);
        const late = decide(upgrading, notReady!, memory, 1000 + limits.ready - 1, limits);
        const { notReadyBecause } = decide(upgrading, ready!, late.memory, 1000 + limits.ready, limits);
        assert.equal(notReadyBecause, "kubelet 1.36.3 did not work within 180 s: it did not stay healthy");
    });

    it("starts again with each attempt to start the previous one", () => {
        const broken = observed({ node: node(at("1.35.4", { ...ours, isReady: false })) });
        const { journal, memory } = decidedAfter(limits.ready, reverting, broken);
        assert.deepEqual(journal, { ...reverting, attempts: 1, isSwitched: false });
        const again = decide({ ...journal, isSwitched: true } as Journal, broken, memory, 2000, limits);
        assert.deepEqual([again.memory.observed, again.actions], [2000 - 1000 - limits.ready, ["switch"]]);
    });
});

describe("what the node-agent does if", () => {
    for (const [title, journal, state, rest, seconds, expected] of table) {
        it(title, () => {
            const whole = observed({ ...rest, node: state === "unknown" ? state : node(state) });
            const decision = decidedAfter(seconds, journal, whole);
            assert.deepEqual(decision.actions, expected.actions ?? []);
            assert.equal(decision.journal.phase, expected.phase ?? "idle");
            assert.equal(decision.notice?.reason, expected.notice);
            if (expected.notReadyBecause) assert.match(decision.notReadyBecause ?? "", expected.notReadyBecause);
            else assert.equal(decision.notReadyBecause, undefined);
        });
    }
});
