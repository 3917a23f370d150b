import assert from "node:assert/strict";
import { targetOf } from "../../../../../../agents/nodes/node-agent/change";
import {
    type ContainerRuntimeJournal,
    type ContainerRuntimeObservation,
    decideContainerRuntime,
} from "../../../../../../agents/nodes/node-agent/container-runtime/decide";
import { defaultLimits as limits } from "../../../../../../agents/nodes/node-agent/plan";
import type { Memory } from "../../../../../../agents/nodes/node-agent/progress";
import {
    newerRuntime as newer,
    runtimeNode as node,
    observedRuntime as observed,
    olderRuntime as older,
} from "../example";

const idle: ContainerRuntimeJournal = { phase: "idle" };
const changing = (attempts = 1): ContainerRuntimeJournal => ({ phase: "changing", from: older, to: newer, attempts });
const reverting: ContainerRuntimeJournal = {
    phase: "reverting",
    from: older,
    to: newer,
    reason: "it broke",
    pod: "pod",
};
const failed: ContainerRuntimeJournal = { phase: "failed", to: newer.id, reason: "it broke", pod: "pod" };
const cordoned = node({ isCordoned: true });
/** The newer one runs, and the host reverts it unless it is confirmed. */
const tried = { current: newer.id, running: newer.id, trial: older.id };
const atNewer = { node: node({ isCordoned: true, runtimeVersion: "containerd://2.4.2" }), host: tried };
const back = { current: older.id, running: older.id };

/** A memory of a phase, in which something has held for some seconds at second 100. */
const lasting = (about: string, more: Partial<Memory> = {}): Memory => ({
    ...{ about, observed: 0, silent: 0, settled: 0, last: 99 },
    ...more,
});
const settled = (about: string) => lasting(about, { observed: 10, settled: 10 });
const late = (about: string, seconds = limits.ready) => lasting(about, { observed: seconds - 1 });

type Row = [
    title: string,
    journal: ContainerRuntimeJournal,
    observed: Partial<ContainerRuntimeObservation>,
    expected: { actions?: string[]; phase?: string; notReadyBecause?: RegExp; notice?: string },
    memory?: Memory,
];

const table: Row[] = [
    ["it is the desired one", idle, { host: { current: newer.id } }, {}],
    ["the API does not answer", idle, { node: "unknown" }, {}],
    ["the node is being removed", idle, { node: node({ isLeaving: true }) }, {}],
    ["the kubelet or CNI plugins are being changed", idle, { isOtherChanging: true }, {}],
    [
        "the annotation names a runtime that is not pinned",
        idle,
        { desired: { refusal: "no such" } },
        { notReadyBecause: /no such/, notice: "ContainerRuntimeRefused" },
    ],
    ["the machine has its image's own", idle, { host: undefined }, { notice: "ContainerRuntimeUnknown" }],
    [
        "it is not downloaded",
        idle,
        { isHere: false },
        { actions: ["fetch runtime"], notReadyBecause: /must be fetched/ },
    ],
    [
        "it can't be downloaded",
        idle,
        { isHere: false, fetchProblem: "404" },
        { actions: ["fetch runtime"], notReadyBecause: /fetched/, notice: "ContainerRuntimeFetchFailed" },
    ],
    [
        "its programs do not answer",
        idle,
        { reported: { fault: "runc is half a file" } },
        { actions: ["cordon"], phase: "failed", notReadyBecause: /half a file/, notice: "ContainerRuntimeFailed" },
    ],
    [
        "a minor version is skipped",
        idle,
        { reported: { from: older, to: { ...newer, containerd: "2.5.0" } } },
        { notReadyBecause: /can only be replaced by 2\.2, 2\.3, 2\.4,/, notice: "ContainerRuntimeRefused" },
    ],
    ["the node is not Ready", idle, { node: node({ isReady: false }) }, { notReadyBecause: /waiting for the node/ }],
    ["the kubelet is unhealthy", idle, { isHealthy: false }, { notReadyBecause: /waiting for the node/ }],
    [
        "its kube-apiserver is not Ready",
        idle,
        { unready: ["kube-apiserver-x"] },
        { notReadyBecause: /; kube-apiserver-x/ },
    ],
    [
        "another node is being rebooted",
        idle,
        { rebootOf: "other" },
        { notReadyBecause: /waiting for the reboot of other/ },
    ],
    ["the node must be cordoned", idle, {}, { actions: ["cordon"], notReadyBecause: /cordoned/ }],
    [
        "pods must be evicted",
        idle,
        { node: cordoned, left: ["a/b"] },
        { actions: ["evict"], notReadyBecause: /draining the node for .*: a\/b/ },
    ],
    [
        "pods stay",
        idle,
        { node: cordoned, left: ["a/b"] },
        { actions: ["evict"], notReadyBecause: /a\/b/, notice: "ContainerRuntimeDrainBlocked" },
        late("idle, draining", limits.drain),
    ],
    [
        "the node is cordoned, and empty",
        idle,
        { node: cordoned },
        {
            phase: "changing",
            notReadyBecause:
                /^switching from containerd 2\.3\.7 with runc 1\.4\.3 to containerd 2\.4\.2 with runc 1\.4\.3$/,
            notice: "ContainerRuntimeChanging",
        },
    ],
    [
        "the change is journaled, after an earlier one failed",
        changing(0),
        { host: { ...back, fault: "it ended" } },
        { actions: ["request runtime"], phase: "changing", notReadyBecause: /waiting for containerd/ },
    ],
    [
        "it was requested",
        changing(),
        { host: { ...back, request: newer.id } },
        { phase: "changing", notReadyBecause: /waiting for containerd 2\.4\.2 with runc 1\.4\.3/ },
    ],
    [
        "the host reverted it at boot",
        changing(),
        { host: back },
        { actions: ["request runtime"], phase: "changing", notReadyBecause: /./ },
    ],
    [
        "the host reverted it at boot repeatedly",
        changing(3),
        { host: back },
        {
            phase: "reverting",
            notReadyBecause: /booted 3 times/,
            notice: "ContainerRuntimeReverting",
        },
    ],
    ["it has just started", changing(), atNewer, { phase: "changing", notReadyBecause: /waiting for containerd/ }],
    [
        "it runs, but not long enough",
        changing(),
        { ...atNewer, isHealthy: false },
        { phase: "changing", notReadyBecause: /waiting for containerd/ },
        settled("changing 1"),
    ],
    [
        "it has run for a while",
        changing(),
        atNewer,
        { actions: ["keep runtime"], phase: "changing", notReadyBecause: /waiting for containerd/ },
        settled("changing 1"),
    ],
    [
        "it is confirmed",
        changing(),
        { ...atNewer, host: { ...tried, trial: undefined } },
        { phase: "idle", notReadyBecause: /./, notice: "ContainerRuntimeChanged" },
        settled("changing 1"),
    ],
    [
        "the host reverted it",
        changing(),
        { host: { ...back, fault: "it starts no container" } },
        {
            phase: "reverting",
            notReadyBecause: /does not work: it starts no container$/,
            notice: "ContainerRuntimeReverting",
        },
    ],
    [
        "the node is not Ready with it for too long",
        changing(),
        { ...atNewer, node: node({ isReady: false, runtimeVersion: "containerd://2.4.2" }) },
        {
            actions: ["request runtime"],
            phase: "reverting",
            notReadyBecause: /did not work within 180 s: the node is not Ready$/,
            notice: "ContainerRuntimeReverting",
        },
        late("changing 1"),
    ],
    [
        "the kubelet does not report it for too long",
        changing(),
        { host: tried, unready: ["kube-apiserver-x"] },
        {
            actions: ["request runtime"],
            phase: "reverting",
            notReadyBecause: /: the kubelet reports containerd:\/\/2\.3\.7, kube-apiserver-x is not Ready$/,
            notice: "ContainerRuntimeReverting",
        },
        late("changing 1"),
    ],
    [
        "the API does not answer for too long",
        changing(),
        { ...atNewer, node: "unknown" },
        {
            actions: ["request runtime"],
            phase: "reverting",
            notReadyBecause: /has not answered for 600 s/,
            notice: "ContainerRuntimeReverting",
        },
        lasting("changing 1", { silent: 1_000 }),
    ],
    [
        "the previous one is starting",
        reverting,
        { host: { ...tried, request: older.id } },
        { phase: "reverting", notReadyBecause: /broke/ },
    ],
    [
        "the previous one was not requested",
        reverting,
        { host: tried },
        { actions: ["request runtime"], phase: "reverting", notReadyBecause: /broke/ },
    ],
    [
        "the newer one is still requested",
        reverting,
        { host: { ...back, request: newer.id }, node: cordoned },
        { actions: ["request runtime"], phase: "reverting", notReadyBecause: /broke/ },
        settled("reverting "),
    ],
    [
        "the previous one runs again",
        reverting,
        { host: back, node: cordoned },
        {
            phase: "failed",
            notReadyBecause: /^it broke; containerd 2\.3\.7 with runc 1\.4\.3 runs again$/,
            notice: "ContainerRuntimeFailed",
        },
        settled("reverting "),
    ],
    [
        "the previous one does not run either",
        reverting,
        { host: { current: older.id, running: newer.id } },
        {
            phase: "reverting",
            notReadyBecause: /after the revert to .* the node is not Ready either: the machine did not start it$/,
            notice: "ContainerRuntimeLost",
        },
        late("reverting "),
    ],
    [
        "it failed, and a user uncordoned the node",
        failed,
        {},
        { actions: ["cordon"], phase: "failed", notReadyBecause: /broke/, notice: "ContainerRuntimeFailed" },
    ],
    ["it failed, and another pod retries", failed, { pod: "other" }, { phase: "idle", notReadyBecause: /broke/ }],
    [
        "it failed, and another one is desired",
        failed,
        { desired: { id: "c-d" } },
        { phase: "idle", notReadyBecause: /broke/ },
    ],
];

describe("the decision about a node's container runtime", () => {
    for (const [title, journal, more, expected, memory] of table) {
        const { actions = [], phase = journal.phase, notReadyBecause, notice } = expected;
        it(`if ${title}: ${actions.join(", ") || "nothing"}${phase === journal.phase ? "" : `, and ${phase}`}`, () => {
            const decision = decideContainerRuntime(journal, observed(more), memory, 100, limits);
            assert.deepEqual(decision.actions, actions);
            assert.equal(decision.journal.phase, phase);
            if (notReadyBecause) assert.match(decision.notReadyBecause ?? "", notReadyBecause);
            else assert.equal(decision.notReadyBecause, undefined);
            assert.equal(decision.notice?.reason, notice);
        });
    }

    it("requests the newer one during a change, and the previous one during a revert", () => {
        assert.deepEqual([idle, changing(), reverting, failed].map(targetOf), [undefined, newer, older, undefined]);
    });

    it("counts its requests", () => {
        const { journal } = decideContainerRuntime(changing(1), observed({ host: back }), undefined, 100, limits);
        assert.deepEqual(journal, changing(2));
    });

    it("does not count time in which the API did not answer", () => {
        const before = lasting("changing 1", { observed: 7, silent: 3 });
        const { memory } = decideContainerRuntime(changing(), observed({ node: "unknown" }), before, 104, limits);
        assert.deepEqual([memory.observed, memory.silent], [7, 8]);
    });
});
