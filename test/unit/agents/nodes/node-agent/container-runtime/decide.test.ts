import assert from "node:assert/strict";
import {
    type ContainerRuntimeSight,
    decideContainerRuntime,
    runtimeTarget,
} from "../../../../../../agents/nodes/node-agent/container-runtime/decide";
import type { ContainerRuntimeJournal } from "../../../../../../agents/nodes/node-agent/container-runtime/journal";
import type { Memory } from "../../../../../../agents/nodes/node-agent/memory";
import { defaultLimits as limits } from "../../../../../../agents/nodes/node-agent/plan";
import { newerRuntime as newer, runtimeNode as node, olderRuntime as older, runtimeSight as sight } from "../example";

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
/** The newer one runs, and the host goes back from it unless it is kept. */
const tried = { current: newer.id, running: newer.id, trial: older.id };
const atNewer = { node: node({ isCordoned: true, runtimeVersion: "containerd://2.4.2" }), host: tried };
const back = { current: older.id, running: older.id };

/** A memory of a phase, in which something has been so for some seconds at the second 100. */
const lasting = (about: string, more: Partial<Memory> = {}): Memory => ({
    ...{ about, seen: 0, silent: 0, settled: 0, last: 99 },
    ...more,
});
const settled = (about: string) => lasting(about, { seen: 10, settled: 10 });
const late = (about: string) => lasting(about, { seen: 1_000 });

type Row = [
    title: string,
    journal: ContainerRuntimeJournal,
    sight: Partial<ContainerRuntimeSight>,
    expected: { actions?: string[]; phase?: string; amiss?: RegExp; notice?: string },
    memory?: Memory,
];

const table: Row[] = [
    ["it is the wanted one", idle, { host: { current: newer.id } }, {}],
    ["the API is silent", idle, { node: "unknown" }, {}],
    ["the node leaves", idle, { node: node({ isLeaving: true }) }, {}],
    ["the kubelet or CNI plugins are changed", idle, { isOtherChanging: true }, {}],
    [
        "the annotation names what is not pinned",
        idle,
        { wanted: { refusal: "no such" } },
        { amiss: /no such/, notice: "ContainerRuntimeRefused" },
    ],
    ["the machine has its image's own", idle, { host: undefined }, { notice: "ContainerRuntimeUnknown" }],
    ["it is not here", idle, { isHere: false }, { actions: ["fetch runtime"], amiss: /to be fetched/ }],
    [
        "it can't be fetched",
        idle,
        { isHere: false, fetchProblem: "404" },
        { actions: ["fetch runtime"], amiss: /fetched/, notice: "ContainerRuntimeFetchFailed" },
    ],
    [
        "its programs do not answer",
        idle,
        { told: { fault: "runc is half a file" } },
        { actions: ["cordon"], phase: "failed", amiss: /half a file/, notice: "ContainerRuntimeFailed" },
    ],
    [
        "a minor version is skipped",
        idle,
        { told: { from: older, to: { ...newer, containerd: "2.5.0" } } },
        { amiss: /can give way to 2\.2, 2\.3, 2\.4 alone/, notice: "ContainerRuntimeRefused" },
    ],
    ["the node is not Ready", idle, { node: node({ isReady: false }) }, { amiss: /waits for the node/ }],
    ["the kubelet is unwell", idle, { isHealthy: false }, { amiss: /waits for the node/ }],
    ["its kube-apiserver is not Ready", idle, { unready: ["kube-apiserver-x"] }, { amiss: /; kube-apiserver-x/ }],
    ["another node is rebooted", idle, { rebootOf: "other" }, { amiss: /waits for the reboot of other/ }],
    ["the node is to be cordoned", idle, {}, { actions: ["cordon"], amiss: /cordoned/ }],
    ["pods have to go", idle, { node: cordoned, left: ["a/b"] }, { actions: ["evict"], amiss: /drained for .*: a\/b/ }],
    [
        "pods stay",
        idle,
        { node: cordoned, left: ["a/b"] },
        { actions: ["evict"], amiss: /a\/b/, notice: "ContainerRuntimeDrainBlocked" },
        late("idle, draining"),
    ],
    [
        "the node is cordoned, and empty",
        idle,
        { node: cordoned },
        {
            phase: "changing",
            amiss: /^containerd 2\.3\.7 with runc 1\.4\.3 gives way to containerd 2\.4\.2 with runc 1\.4\.3$/,
            notice: "ContainerRuntimeChanging",
        },
    ],
    ["the change is journaled", changing(0), {}, { actions: ["request runtime"], phase: "changing", amiss: /awaited/ }],
    [
        "it was asked for",
        changing(),
        { host: { ...back, request: newer.id } },
        { phase: "changing", amiss: /containerd 2\.4\.2 with runc 1\.4\.3 is awaited/ },
    ],
    [
        "a boot went back from it",
        changing(),
        { host: back },
        { actions: ["request runtime"], phase: "changing", amiss: /./ },
    ],
    [
        "boots went back from it again and again",
        changing(3),
        { host: back },
        {
            phase: "reverting",
            amiss: /booted 3 times/,
            notice: "ContainerRuntimeReverting",
        },
    ],
    ["it runs since now", changing(), atNewer, { phase: "changing", amiss: /awaited/ }],
    [
        "it runs, and does not last yet",
        changing(),
        { ...atNewer, isHealthy: false },
        { phase: "changing", amiss: /awaited/ },
        settled("changing 1"),
    ],
    [
        "it has run for a while",
        changing(),
        atNewer,
        { actions: ["keep runtime"], phase: "changing", amiss: /awaited/ },
        settled("changing 1"),
    ],
    [
        "it is kept",
        changing(),
        { ...atNewer, host: { ...tried, trial: undefined } },
        { phase: "idle", amiss: /./, notice: "ContainerRuntimeChanged" },
        settled("changing 1"),
    ],
    [
        "the host went back",
        changing(),
        { host: { ...back, fault: "it starts no container" } },
        {
            phase: "reverting",
            amiss: /does not do: it starts no container$/,
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
            amiss: /did not do in 1001 s: the node is not Ready$/,
            notice: "ContainerRuntimeReverting",
        },
        late("changing 1"),
    ],
    [
        "the kubelet does not find it for too long",
        changing(),
        { host: tried, unready: ["kube-apiserver-x"] },
        {
            actions: ["request runtime"],
            phase: "reverting",
            amiss: /: the kubelet finds containerd:\/\/2\.3\.7, kube-apiserver-x is not Ready$/,
            notice: "ContainerRuntimeReverting",
        },
        late("changing 1"),
    ],
    [
        "the API is silent for too long",
        changing(),
        { ...atNewer, node: "unknown" },
        {
            actions: ["request runtime"],
            phase: "reverting",
            amiss: /has not answered for 600 s/,
            notice: "ContainerRuntimeReverting",
        },
        lasting("changing 1", { silent: 1_000 }),
    ],
    [
        "the former is awaited",
        reverting,
        { host: { ...tried, request: older.id } },
        { phase: "reverting", amiss: /broke/ },
    ],
    [
        "the former was not asked for",
        reverting,
        { host: tried },
        { actions: ["request runtime"], phase: "reverting", amiss: /broke/ },
    ],
    [
        "the newer one is still asked for",
        reverting,
        { host: { ...back, request: newer.id } },
        { actions: ["request runtime"], phase: "reverting", amiss: /broke/ },
    ],
    [
        "the former runs again",
        reverting,
        { host: back, node: cordoned },
        {
            phase: "failed",
            amiss: /^it broke; containerd 2\.3\.7 with runc 1\.4\.3 runs again$/,
            notice: "ContainerRuntimeFailed",
        },
        settled("reverting "),
    ],
    [
        "the former does not run either",
        reverting,
        { host: { current: older.id, running: newer.id } },
        {
            phase: "reverting",
            amiss: /neither is the node Ready .*: the machine did not start it$/,
            notice: "ContainerRuntimeLost",
        },
        late("reverting "),
    ],
    [
        "it failed, and somebody uncordoned the node",
        failed,
        {},
        { actions: ["cordon"], phase: "failed", amiss: /broke/, notice: "ContainerRuntimeFailed" },
    ],
    ["it failed, and another pod tries again", failed, { pod: "other" }, { phase: "idle", amiss: /broke/ }],
    ["it failed, and another one is wanted", failed, { wanted: { id: "c-d" } }, { phase: "idle", amiss: /broke/ }],
];

describe("what is done about a node's container runtime", () => {
    for (const [title, journal, more, expected, memory] of table) {
        const { actions = [], phase = journal.phase, amiss, notice } = expected;
        it(`when ${title}: ${actions.join(", ") || "nothing"}${phase === journal.phase ? "" : `, and ${phase}`}`, () => {
            const decision = decideContainerRuntime(journal, sight(more), memory, 100, limits);
            assert.deepEqual(decision.actions, actions);
            assert.equal(decision.journal.phase, phase);
            if (amiss) assert.match(decision.amiss ?? "", amiss);
            else assert.equal(decision.amiss, undefined);
            assert.equal(decision.notice?.reason, notice);
        });
    }

    it("asks for the newer one while it changes, and for the former when it goes back", () => {
        assert.deepEqual([idle, changing(), reverting, failed].map(runtimeTarget), [
            undefined,
            newer,
            older,
            undefined,
        ]);
    });

    it("counts how often it asked", () => {
        const { journal } = decideContainerRuntime(changing(1), sight({ host: back }), undefined, 100, limits);
        assert.deepEqual(journal, changing(2));
    });

    it("counts no time in which the API was silent as one in which the node was seen", () => {
        const before = lasting("changing 1", { seen: 7, silent: 3 });
        const { memory } = decideContainerRuntime(changing(), sight({ node: "unknown" }), before, 104, limits);
        assert.deepEqual([memory.seen, memory.silent], [7, 8]);
    });
});
