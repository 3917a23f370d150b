import assert from "node:assert/strict";
import type { Action } from "../../../../../agents/nodes/promoter/action";
import { decide } from "../../../../../agents/nodes/promoter/decide";
import type { NodeFacts, Observed, PodFacts } from "../../../../../agents/nodes/promoter/observed";
import type { NodePromoterPlan } from "../../../../../agents/nodes/promoter/plan";
import type { NodeRole } from "../../../../../agents/nodes/promoter/record";

const own = ["c-0", "c-1", "c-2"];
const candidates = ["d-0", "d-1"];
const names = [...own, ...candidates];
const now = Date.parse("2026-11-29T22:00:00Z");

const plan: NodePromoterPlan = {
    apiServer: "https://127.0.0.1:6443",
    etcd: "https://127.0.0.1:2379",
    pki: "/pki",
    controllerLabel: "node-role.kubernetes.io/control-plane",
    count: 3,
    peerUrls: Object.fromEntries(names.map((name) => [name, `https://${name}:2380`])),
    candidates,
    replaceAfter: 60,
};

interface Scene {
    /** Members by name; a learner's begins with `~`. @default - the stack's own */
    readonly members?: readonly string[];
    /** Names whose machines are lost. */
    readonly lost?: readonly string[];
    readonly leader?: string;
    readonly nodes?: Readonly<Record<string, Partial<NodeFacts>>>;
    readonly record?: Readonly<Record<string, Omit<NodeRole, "since" | "why"> & Partial<NodeRole>>>;
    readonly requests?: Readonly<Record<string, string>>;
    readonly pods?: Readonly<Record<string, Partial<PodFacts>>>;
    readonly lostSeconds?: number;
    readonly stageSeconds?: number;
}

function observe(scene: Scene): Observed {
    const { members = own, lost = [], leader = "c-0", nodes = {}, record = {}, requests = {}, pods = {} } = scene;
    const listed = members.map((each) => {
        const name = each.replace("~", "");
        return { ID: name, name, peerURLs: [`https://${name}:2380`], isLearner: each !== name };
    });
    const isHealthy = ({ name, isLearner }: (typeof listed)[number]) => !lost.includes(name) && !isLearner;
    const all = (seconds = 0) => Object.fromEntries(names.map((name) => [name, seconds]));
    return {
        nodes: names.map((name) => ({
            name,
            isReady: !lost.includes(name),
            hasRole: own.includes(name),
            isLeaving: false,
            isCordoned: false,
            ...nodes[name],
        })),
        members: listed,
        health: {
            healthy: new Set(listed.filter(isHealthy).map(({ ID }) => ID)),
            problems: lost.map((name) => `${name} does not answer`),
            leader,
        },
        record: Object.fromEntries(
            Object.entries(record).map(([name, each]) => [name, { since: "2026-11-29T21:00:00Z", why: "so", ...each }]),
        ),
        requests,
        pods: Object.fromEntries(
            Object.entries(pods).map(([name, each]) => [
                name,
                { controlPlane: [], servesApi: false, join: "none", isClean: false, ...each },
            ]),
        ),
        lostSeconds: Object.fromEntries(lost.map((name) => [name, scene.lostSeconds ?? 60])),
        stageSeconds: all(scene.stageSeconds),
        now,
    };
}

/** In a line: `write d-0 joining`, `patch-node c-1 {"hasRole":false}`, or what is waited for. */
function describeAction(action: Action): string {
    if (action.do === "wait") return action.why;
    if (action.do === "write") return `write ${action.node} ${action.entry?.role ?? "nothing"}`;
    if (action.do === "drop-request") return `drop ${action.why}`;
    if (action.do === "patch-node") {
        const { do: _, node, ...change } = action;
        return `patch ${node} ${JSON.stringify(change)}`;
    }
    return `${action.do} ${action.node}`;
}

const leaving = { "c-1": { role: "leaving" } } as const;
const joining = { "c-1": { role: "leaving" }, "d-0": { role: "joining" } } as const;
const outside = { hasRole: false, isLeaving: true, label: "leaving" };
const inside = { hasRole: true, label: "joining" };
const recent = "2026-11-29T21:59:00Z";

const cases: [title: string, Scene, expected: string][] = [
    ["changes nothing if nothing is wrong", {}, "nothing to change"],
    ["waits for a lost controller", { lost: ["c-1"], lostSeconds: 59 }, "c-1 may come back"],
    ["demotes one that was lost for long enough", { lost: ["c-1"] }, "write c-1 leaving"],
    [
        "keeps one whose member answers, although its Node is not Ready",
        { nodes: { "c-1": { isReady: false } } },
        "nothing to change",
    ],
    [
        "keeps one whose Node is Ready, although its member does not answer",
        { lost: ["c-1"], nodes: { "c-1": { isReady: true } } },
        "nothing to change",
    ],
    [
        "keeps a lost one while no candidate is Ready",
        { lost: ["c-1", ...candidates] },
        "c-1 is lost, and no candidate can replace it",
    ],
    [
        "keeps a lost one if another change was recent",
        { lost: ["c-1"], record: { "d-1": { role: "candidate", since: recent } } },
        "c-1 is lost, but a role has changed in the last 120 s",
    ],
    [
        "keeps a lost one without which etcd has no majority",
        { lost: ["c-1", "c-2"] },
        "c-1 cannot be demoted yet: removing c-1 (https://c-1:2380) would leave 1 of 2 voters healthy, " +
            "but 2 are needed: c-1 does not answer; c-2 does not answer",
    ],
    [
        "does not replace one of the stack's own that has not joined yet",
        { lost: ["c-2"], members: ["c-0", "c-1"], nodes: { "c-2": { hasRole: false } } },
        "nothing to change",
    ],
    ["marks a leaving node first", { lost: ["c-1"], record: leaving }, 'patch c-1 {"isLeaving":true}'],
    ["moves the lead away from a leaving node", { record: leaving, leader: "c-1" }, "move-leader c-1"],
    [
        "ends what could add a leaving member again",
        { record: leaving, nodes: { "c-1": { isLeaving: true, label: "joining" } } },
        'patch c-1 {"label":null,"endsJoin":true}',
    ],
    [
        "waits for the checkpointer of a leaving node",
        { record: leaving, nodes: { "c-1": { isLeaving: true, checkpoints: "c-1 has checkpoints" } } },
        "c-1 has checkpoints",
    ],
    [
        "waits for it no longer than two minutes",
        { record: leaving, nodes: { "c-1": { isLeaving: true, checkpoints: "some" } }, stageSeconds: 120 },
        'patch c-1 {"hasRole":false}',
    ],
    [
        "waits for the control plane of a leaving node to end",
        {
            record: leaving,
            nodes: { "c-1": { isLeaving: true, hasRole: false } },
            pods: { "c-1": { controlPlane: ["kube-system/kube-apiserver-1"] } },
        },
        "kube-system/kube-apiserver-1 must end on c-1",
    ],
    [
        "removes the member then",
        { record: leaving, nodes: { "c-1": { isLeaving: true, hasRole: false } } },
        "remove-member c-1",
    ],
    [
        "waits while etcd needs a leaving member",
        { record: leaving, lost: ["c-2"], stageSeconds: 29, lostSeconds: 0 },
        "removing c-1 (https://c-1:2380) would leave 1 of 2 voters healthy, but 2 are needed: c-2 does not answer",
    ],
    ["gives the demotion up after a while", { record: leaving, lost: ["c-2"], stageSeconds: 30 }, "write c-1 joining"],
    [
        "has the disk of a node cleaned up that has left",
        { record: leaving, members: ["c-0", "c-2"], nodes: { "c-1": { hasRole: false, isLeaving: true } } },
        'patch c-1 {"label":"leaving","isLeaving":true}',
    ],
    [
        "promotes a candidate while another disk is being cleaned up",
        { record: leaving, members: ["c-0", "c-2"], nodes: { "c-1": outside } },
        "write d-0 joining",
    ],
    [
        "makes a clean node a candidate",
        { record: leaving, members: ["c-0", "c-2"], nodes: { "c-1": outside }, pods: { "c-1": { isClean: true } } },
        "write c-1 candidate",
    ],
    [
        "makes it a candidate even while another node's change waits",
        {
            record: joining,
            members: ["c-0", "c-2"],
            nodes: { "c-1": outside, "d-0": { label: "joining" } },
            pods: { "c-1": { isClean: true }, "d-0": { join: "running" } },
        },
        "write c-1 candidate",
    ],
    [
        "removes the labels of a candidate",
        { record: { "c-1": { role: "candidate" } }, members: ["c-0", "c-2"], nodes: { "c-1": outside } },
        'patch c-1 {"label":null,"isLeaving":false}',
    ],
    [
        "prefers the stack's own controller",
        { record: { "c-1": { role: "candidate" } }, members: ["c-0", "c-2"], nodes: { "c-1": { hasRole: false } } },
        "write c-1 joining",
    ],
    [
        "prefers others to one that an administrator demoted",
        {
            record: { "c-1": { role: "candidate", excluded: "requested" } },
            members: ["c-0", "c-2"],
            nodes: { "c-1": { hasRole: false }, "d-0": { isCordoned: true } },
        },
        "write d-1 joining",
    ],
    [
        "does not try one again that has just failed to join",
        {
            record: { ...leaving, "d-0": { role: "candidate", excluded: "failed", since: recent } },
            members: ["c-0", "c-2"],
            nodes: { "c-1": outside },
        },
        "write d-1 joining",
    ],
    [
        "labels a joining node",
        { record: joining, members: ["c-0", "c-2"], nodes: { "c-1": outside } },
        'patch d-0 {"label":"joining"}',
    ],
    [
        "has etcd-join run again if it ended without joining",
        {
            record: joining,
            members: ["c-0", "c-2"],
            nodes: { "c-1": outside, "d-0": { label: "joining" } },
            pods: { "d-0": { join: "ended" } },
        },
        "delete-join-pods d-0",
    ],
    [
        "waits for the data of a learner",
        {
            record: joining,
            members: ["c-0", "c-2", "~d-0"],
            nodes: { "c-1": outside, "d-0": { label: "joining" } },
            pods: { "d-0": { join: "running" } },
        },
        "d-0 receives etcd's data",
    ],
    [
        "gives a voter the role",
        { record: joining, members: ["c-0", "c-2", "d-0"], nodes: { "c-1": outside, "d-0": { label: "joining" } } },
        'patch d-0 {"hasRole":true}',
    ],
    [
        "waits for its kube-apiserver",
        { record: joining, members: ["c-0", "c-2", "d-0"], nodes: { "c-1": outside, "d-0": inside } },
        "kube-apiserver is not Ready on d-0",
    ],
    [
        "makes it a controller when it serves",
        {
            record: joining,
            members: ["c-0", "c-2", "d-0"],
            nodes: { "c-1": outside, "d-0": inside },
            pods: { "d-0": { servesApi: true } },
        },
        "write d-0 controller",
    ],
    [
        "takes a candidate back that does not join in time",
        { record: joining, members: ["c-0", "c-2"], nodes: { "c-1": outside, "d-0": inside }, stageSeconds: 300 },
        "write d-0 leaving",
    ],
    [
        "takes a candidate back that is lost while it joins",
        {
            record: joining,
            members: ["c-0", "c-2"],
            nodes: { "c-1": outside, "d-0": { label: "joining" } },
            lost: ["d-0"],
        },
        "write d-0 leaving",
    ],
    [
        "takes a candidate back when a controller has to be replaced first",
        {
            record: { "d-0": { role: "joining" } },
            nodes: { "d-0": { label: "joining" } },
            lost: ["c-2"],
        },
        "write d-0 leaving",
    ],
    [
        "gives a promoted node that registered again its labels",
        { record: { "d-0": { role: "controller" } }, members: [...own, "d-0"] },
        'patch d-0 {"label":"joining"}',
    ],
    [
        "removes a candidate that is a member although it must not be",
        { record: { "d-0": { role: "candidate" } }, members: [...own, "d-0"] },
        "write d-0 leaving",
    ],
    [
        "records a promoted controller again whose record was lost",
        { members: ["c-0", "c-2", "d-0"], nodes: { "c-1": outside, "d-0": inside } },
        "write d-0 controller",
    ],
    [
        "gives it its label back first",
        { members: ["c-0", "c-2", "d-0"], nodes: { "c-1": outside } },
        'patch d-0 {"label":"joining"}',
    ],
    [
        "gives it its role back first",
        { members: ["c-0", "c-2", "d-0"], nodes: { "c-1": outside, "d-0": { label: "joining" } } },
        'patch d-0 {"hasRole":true}',
    ],
    [
        "does not record a promoted controller that is being removed",
        { members: ["c-0", "c-2", "d-0"], nodes: { "c-1": outside, "d-0": { ...inside, isLeaving: true } } },
        "nothing to change",
    ],
    ["promotes on request, beyond the stack's number", { requests: { "d-1": "promote" } }, "write d-1 joining"],
    [
        "promotes nothing while a voter is down",
        { requests: { "d-1": "promote" }, lost: ["c-1"], lostSeconds: 0 },
        "d-1 cannot become a controller yet: c-1 (https://c-1:2380) must be healthy first",
    ],
    ["demotes on request", { requests: { "c-2": "demote" } }, "write c-2 leaving"],
    ["excludes a candidate on request", { requests: { "d-0": "demote" } }, "write d-0 candidate"],
    [
        "takes a joining node back on request",
        { record: { "d-0": { role: "joining" } }, requests: { "d-0": "demote" } },
        "write d-0 leaving",
    ],
    [
        "drops a request for a controller",
        { requests: { "c-2": "promote" } },
        "drop c-2: it is a controller, or becomes one",
    ],
    ["drops other requests", { requests: { "c-2": "reboot" } }, "drop c-2: a request must be promote or demote"],
    [
        "drops requests for other nodes",
        { requests: { "e-0": "promote" } },
        "drop e-0: it is neither a controller nor a candidate of the stack",
    ],
    [
        "demotes nothing if no other controller is Ready",
        { requests: { "c-2": "demote" }, nodes: { "c-0": { isReady: false }, "c-1": { isReady: false } } },
        "c-2 cannot be demoted yet: no controller but c-2 is Ready",
    ],
    [
        "forgets a former candidate whose machine was removed",
        { record: { "e-0": { role: "leaving" } } },
        "write e-0 nothing",
    ],
];

describe("the decision of the node promoter", () => {
    for (const [title, scene, expected] of cases) {
        it(title, () => assert.equal(describeAction(decide(observe(scene), plan)), expected));
    }

    it("drops a request to demote the last controller", () => {
        const alone = { ...plan, count: 1, peerUrls: { "c-0": "https://c-0:2380", "d-0": "https://d-0:2380" } };
        const observed = observe({ members: ["c-0"], requests: { "c-0": "demote" } });
        const action = decide(observed, alone);
        assert.equal(describeAction(action), "drop c-0: it is the last controller; promote another node first");
    });

    it("says in place of which node a candidate becomes a controller", () => {
        const record = { "c-1": { role: "leaving", why: "lost for 60 s" } } as const;
        const action = decide(observe({ record, members: ["c-0", "c-2"], nodes: { "c-1": outside } }), plan);
        assert.ok(action.do === "write");
        assert.equal(action.entry?.why, "instead of c-1 (lost for 60 s)");
        assert.equal(action.notice?.message, "d-0 becomes a controller: instead of c-1 (lost for 60 s)");
    });
});
