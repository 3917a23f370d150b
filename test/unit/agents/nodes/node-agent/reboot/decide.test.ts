import assert from "node:assert/strict";
import { defaultLimits as limits } from "../../../../../../agents/nodes/node-agent/plan";
import {
    decideReboot,
    type RebootDecision,
    type RebootJournal,
    type RebootNodeObservation,
    type RebootObservation,
} from "../../../../../../agents/nodes/node-agent/reboot/decide";

const idle: RebootJournal = { phase: "idle" };
const rebooting: RebootJournal = { phase: "rebooting", boot: "one" };
const failed: RebootJournal = { phase: "failed", boot: "one", reason: "it broke", pod: "pod" };
const time = 100_000;

const node = (more: Partial<RebootNodeObservation> = {}): RebootNodeObservation => ({
    isReady: true,
    isCordoned: false,
    isLeaving: false,
    asked: "one",
    ...more,
});

/** A node whose turn it is. */
const observed = (more: Partial<RebootObservation> = {}): RebootObservation => ({
    isOn: true,
    boot: "one",
    isRequested: true,
    node: node(),
    isKubeletAsDesired: true,
    isHealthy: true,
    until: time + 60,
    left: [],
    pod: "pod",
    time,
    ...more,
});

/** The decision after a journal and an observation have held for that many seconds. */
function decidedAfter(seconds: number, journal: RebootJournal, state: RebootObservation): RebootDecision {
    const first = decideReboot(journal, state, undefined, 1000, limits);
    return decideReboot(journal, state, first.memory, 1000 + seconds, limits);
}

type Row = [
    title: string,
    journal: RebootJournal,
    observed: Partial<RebootObservation>,
    seconds: number,
    expected: { actions?: string[]; journal?: RebootJournal; notReadyBecause?: RegExp; notice?: string },
];

const rested: RebootJournal = { phase: "idle", notBefore: time + limits.rest };
const cordoned = node({ isCordoned: true });
const back = { boot: "two", isRequested: false, until: undefined, node: cordoned };

const table: Row[] = [
    ["the API does not answer", idle, { node: "unknown", until: undefined }, 0, {}],
    ["reboots are off", idle, { isOn: false, node: node({ asked: undefined }), until: undefined }, 0, {}],
    ["reboots are off, and it had requested one", idle, { isOn: false }, 0, { actions: ["withdraw"] }],
    [
        "the OS requests nothing",
        idle,
        { isRequested: false, node: node({ asked: undefined }), until: undefined },
        0,
        {},
    ],
    ["the request is from an earlier boot", idle, { boot: "two", isRequested: false }, 0, { actions: ["withdraw"] }],
    [
        "the machine is older than the reboot feature",
        idle,
        { boot: undefined, isRequested: false, node: node({ asked: undefined }), until: undefined },
        0,
        { notice: "OsRebootUnsupported" },
    ],
    [
        "the OS requests a reboot",
        idle,
        { node: node({ asked: undefined }), until: undefined },
        0,
        { actions: ["ask"], notice: "OsRebootRequested" },
    ],
    [
        "the OS requests another one after a boot",
        idle,
        { boot: "two", until: undefined },
        0,
        { actions: ["ask"], notice: "OsRebootRequested" },
    ],
    [
        "the OS requests a reboot, and the node is being removed",
        idle,
        { node: node({ isLeaving: true }) },
        0,
        { actions: ["withdraw"] },
    ],
    ["the kubelet must be changed", idle, { isKubeletAsDesired: false }, 0, { actions: ["withdraw"] }],
    [
        "the OS requests a reboot soon after another",
        { phase: "idle", notBefore: time + 1 },
        { node: node({ asked: undefined }), until: undefined },
        0,
        { journal: { phase: "idle", notBefore: time + 1 } },
    ],
    [
        "the OS requests a reboot an hour after another",
        { phase: "idle", notBefore: time },
        { node: node({ asked: undefined }), until: undefined },
        0,
        { actions: ["ask"], journal: { phase: "idle", notBefore: time }, notice: "OsRebootRequested" },
    ],
    [
        "the OS requests a reboot after another one, and the clock was ahead then",
        { phase: "idle", notBefore: time + limits.rest + 1 },
        { node: node({ asked: undefined }), until: undefined },
        0,
        {
            actions: ["ask"],
            journal: { phase: "idle", notBefore: time + limits.rest + 1 },
            notice: "OsRebootRequested",
        },
    ],
    ["it is not its turn", idle, { until: undefined }, 9999, {}],
    [
        "its turn came after its window",
        idle,
        { time: time + 60 },
        0,
        {
            actions: ["withdraw"],
            journal: { phase: "idle", notBefore: time + 60 + limits.rest },
            notice: "OsRebootPutOff",
        },
    ],
    ["the node is not Ready", idle, { node: node({ isReady: false }) }, 0, { notReadyBecause: /to be Ready/ }],
    ["the kubelet is unhealthy", idle, { isHealthy: false }, 0, { notReadyBecause: /to be Ready/ }],
    ["it is its turn", idle, {}, 0, { actions: ["cordon"], notReadyBecause: /cordoned/ }],
    [
        "pods are left",
        idle,
        { node: cordoned, left: ["n/p stays"] },
        limits.drain - 1,
        { actions: ["evict"], notReadyBecause: /n\/p stays/ },
    ],
    [
        "pods are left for too long",
        idle,
        { node: cordoned, left: ["n/p stays"] },
        limits.drain,
        { actions: ["withdraw"], journal: rested, notice: "OsRebootPutOff" },
    ],
    [
        "no pods are left",
        idle,
        { node: cordoned },
        0,
        {
            actions: ["yield", "reboot"],
            journal: rebooting,
            notReadyBecause: /is about to reboot/,
            notice: "OsRebooting",
        },
    ],
    [
        "the machine goes down",
        rebooting,
        { node: cordoned },
        1,
        { actions: ["reboot"], notReadyBecause: /is about to reboot/ },
    ],
    [
        "the machine goes down, and the API with it",
        rebooting,
        { node: "unknown", until: undefined },
        limits.reboot - 1,
        { actions: ["reboot"], notReadyBecause: /is about to reboot/ },
    ],
    [
        "the machine does not go down",
        rebooting,
        { node: cordoned },
        limits.reboot,
        {
            actions: ["recall"],
            journal: { ...failed, reason: "the machine did not reboot within 600 s" },
            notReadyBecause: /did not reboot/,
            notice: "OsRebootFailed",
        },
    ],
    [
        "the machine is back, and the API is not",
        rebooting,
        { ...back, node: "unknown" },
        9999,
        { notReadyBecause: /the machine rebooted; waiting for its node/ },
    ],
    [
        "the machine is back",
        rebooting,
        { ...back, node: { ...cordoned, isReady: false } },
        599,
        { notReadyBecause: /the machine rebooted; waiting for its node/ },
    ],
    [
        "the node has just become Ready",
        rebooting,
        back,
        limits.settle - 1,
        { notReadyBecause: /the machine rebooted; waiting for its node/ },
    ],
    [
        "the node is Ready",
        rebooting,
        back,
        limits.settle,
        {
            actions: ["withdraw"],
            journal: rested,
            notReadyBecause: /the machine rebooted; waiting for its node/,
            notice: "OsRebooted",
        },
    ],
    [
        "the node does not become Ready",
        rebooting,
        { ...back, isHealthy: false },
        limits.reboot,
        {
            journal: { ...failed, reason: "the machine rebooted, but its node was not Ready within 600 s" },
            notReadyBecause: /was not Ready/,
            notice: "OsRebootFailed",
        },
    ],
    ["it failed", failed, back, 9999, { notReadyBecause: /it broke/, notice: "OsRebootFailed" }],
    [
        "it failed, and a user uncordoned the node",
        failed,
        { ...back, node: node() },
        0,
        { actions: ["cordon"], notReadyBecause: /it broke/, notice: "OsRebootFailed" },
    ],
    [
        "it failed, and another pod checks",
        failed,
        { ...back, pod: "other" },
        0,
        { journal: rebooting, notReadyBecause: /it broke/ },
    ],
    [
        "it never went down, and another pod checks",
        failed,
        { pod: "other" },
        0,
        { actions: ["withdraw"], journal: idle, notReadyBecause: /it broke/ },
    ],
];

describe("what the node-agent does about a reboot if", () => {
    for (const [title, journal, state, seconds, expected] of table) {
        it(title, () => {
            const decision = decidedAfter(seconds, journal, observed(state));
            assert.deepEqual(decision.actions, expected.actions ?? []);
            assert.deepEqual(decision.journal, expected.journal ?? journal);
            assert.equal(decision.notice?.reason, expected.notice);
            if (expected.notReadyBecause) assert.match(decision.notReadyBecause ?? "", expected.notReadyBecause);
            else assert.equal(decision.notReadyBecause, undefined);
        });
    }
});
