import assert from "node:assert/strict";
import { type Action, decide, type NodeFacts, type Observed } from "../../../../../agents/nodes/repairer/decide";
import type { NodeRepairerPlan } from "../../../../../agents/nodes/repairer/plan";
import type { Repair, Repairs } from "../../../../../agents/nodes/repairer/record";

const now = Date.parse("2026-11-30T02:00:00Z");
const ago = (seconds: number) => new Date(now - seconds * 1000).toISOString();

const onDroplets: NodeRepairerPlan = {
    apiServer: "https://127.0.0.1:6443",
    controllerLabel: "node-role.kubernetes.io/control-plane",
    poolLabel: "node.kubernetes.io/pool",
    restartAfter: 300,
    replaceAfter: 900,
    maxUnavailablePercentage: 20,
    cloud: { api: "https://api.digitalocean.com", tag: "c" },
};
const onAws: NodeRepairerPlan = {
    ...onDroplets,
    cloud: {
        ec2: "https://ec2.eu-central-1.amazonaws.com",
        autoScaling: "https://autoscaling.eu-central-1.amazonaws.com",
        region: "eu-central-1",
        namePattern: "^i-[0-9a-f]+$",
        clusterTag: "kubernetes.io/cluster/c",
    },
};
const { cloud: _, ...local } = onDroplets;

interface Scene {
    readonly plan?: NodeRepairerPlan;
    /** Seconds for which nodes have not been Ready. Workers are `i-0` to `i-9`, controllers `c-0` to `c-2`. */
    readonly down?: Readonly<Record<string, number>>;
    readonly nodes?: Readonly<Record<string, Partial<NodeFacts>>>;
    readonly machines?: Readonly<Record<string, Partial<Repair>>>;
    readonly replaced?: Repairs["replaced"];
    /** Names of members of etcd; with `!` one that is not healthy. @default - all controllers */
    readonly members?: readonly string[] | "unknown";
    readonly controllers?: number;
    readonly workers?: number;
    readonly paused?: readonly string[];
}

function decideIn(scene: Scene): Action {
    const { plan = onAws, down = {}, nodes = {}, machines = {}, replaced = [], controllers = 3, workers = 10 } = scene;
    const count = (prefix: string, all: number) => Array.from({ length: all }, (_, index) => `${prefix}-${index}`);
    const names = [...count("c", controllers), ...count("i", workers)];
    const { members = count("c", controllers) } = scene;
    const observed: Observed = {
        nodes: names.map((name) => ({
            name,
            uid: `uid-${name}`,
            pool: name.startsWith("c") ? "controller" : "default",
            isController: name.startsWith("c"),
            isReady: down[name] === undefined,
            notReadySeconds: down[name] ?? 0,
            ...nodes[name],
        })),
        repairs: {
            machines: Object.fromEntries(
                Object.entries(machines).map(([name, entry]) => [
                    name,
                    { uid: `uid-${name}`, state: "restarting", since: ago(60), why: "x", restarts: 1, ...entry },
                ]),
            ),
            replaced,
        },
        ...(members !== "unknown" && { members: members.map(memberOf) }),
        paused: new Set(scene.paused),
        secondsSince: (time) => (now - Date.parse(time)) / 1000,
    };
    return decide(observed, plan);
}

function memberOf(each: string) {
    return {
        ...{ id: each, name: each.replace("!", ""), isLearner: false, isLeader: false },
        ...(each.endsWith("!") && { problem: "no answer" }),
        ...{ dbSize: 0, dbSizeInUse: 0, quota: 0 },
    };
}

/** `write i-0 restarting: why`, `call i-0 restarting`, `wait: why`. */
function inWords(action: Action): string {
    if (action.do === "wait") return `${action.do}${action.isPending ? "" : " idly"}: ${action.why}`;
    if (action.do === "call") return `call ${action.node} ${action.what}`;
    const { node, entry, replacedIn } = action;
    const counted = replacedIn === undefined ? "" : `, counted in ${replacedIn}`;
    return entry === undefined ? `forget ${node}` : `write ${node} ${entry.state}: ${entry.why}${counted}`;
}

const asked = { isRequested: true };
const idle = "wait idly: no machine needs repair";
const held = "its annotation tradewind.dev/repair turns repair off";

const cases: readonly (readonly [what: string, scene: Scene, expected: string])[] = [
    ["does nothing if all nodes are Ready", {}, idle],
    ["leaves a node that is not Ready for a short time", { down: { "i-0": 299 } }, idle],
    ["restarts a machine", { down: { "i-0": 300 } }, "write i-0 restarting: not Ready for 5 min"],
    [
        "calls the cloud only once the record says so",
        { down: { "i-0": 310 }, machines: { "i-0": { since: ago(1) } } },
        "call i-0 restarting",
    ],
    ["calls it once", { down: { "i-0": 400 }, machines: { "i-0": asked } }, idle],
    [
        "leaves a machine that the cloud refused a moment ago",
        { down: { "i-0": 400 }, machines: { "i-0": {} }, paused: ["i-0"] },
        idle,
    ],
    [
        "replaces a machine of a group that a restart did not help",
        { down: { "i-0": 900 }, machines: { "i-0": { ...asked, since: ago(600) } } },
        "write i-0 replacing: not Ready for 15 min, after 1 restart, counted in default",
    ],
    [
        "gives a late restart its time",
        { down: { "i-0": 2000 }, machines: { "i-0": { ...asked, since: ago(599) } } },
        idle,
    ],
    [
        "leaves a droplet that a restart did not help to a person",
        { plan: onDroplets, down: { "i-0": 900 }, machines: { "i-0": { ...asked, since: ago(600) } } },
        "write i-0 manual: not Ready for 15 min, after 1 restart",
    ],
    [
        "leaves a local machine to a person",
        { plan: local, down: { "i-0": 300 } },
        "write i-0 manual: not Ready for 5 min",
    ],
    ["says that once", { plan: local, down: { "i-0": 9999 }, machines: { "i-0": { state: "manual" } } }, idle],
    [
        "notes that a machine recovered",
        { machines: { "i-0": asked } },
        "write i-0 recovered: Ready again after it was restarting",
    ],
    [
        "waits twice as long before each further restart",
        { down: { "i-0": 599 }, machines: { "i-0": { state: "recovered" } } },
        idle,
    ],
    [
        "restarts it then",
        { down: { "i-0": 600 }, machines: { "i-0": { state: "recovered" } } },
        "write i-0 restarting: not Ready for 10 min",
    ],
    [
        "does not restart a flapping machine a fourth time",
        { down: { "i-0": 900 }, machines: { "i-0": { state: "recovered", restarts: 3 } } },
        "write i-0 replacing: not Ready for 15 min, after 3 restarts, counted in default",
    ],
    [
        "forgets the restarts of a machine that was healthy for six hours",
        { machines: { "i-0": { state: "recovered", since: ago(6 * 3600) } } },
        "forget i-0",
    ],
    ["forgets a machine whose Node was deleted", { machines: { "i-99": asked } }, "forget i-99"],
    ["forgets one whose Node is another", { down: { "i-0": 1 }, machines: { "i-0": { uid: "other" } } }, "forget i-0"],
    [
        "leaves a machine that its group does not replace to a person",
        { down: { "i-0": 20_000 }, machines: { "i-0": { ...asked, state: "replacing", since: ago(3 * 3600) } } },
        "write i-0 manual: not Ready for 333 min, after 1 restart",
    ],
    [
        "repairs a fifth of a pool at a time",
        { down: { "i-0": 300, "i-1": 300 }, machines: { "i-0": asked } },
        "write i-1 restarting: not Ready for 5 min",
    ],
    [
        "repairs no more than that",
        { down: { "i-0": 300, "i-1": 300, "i-2": 300 }, machines: { "i-0": asked, "i-1": asked } },
        "wait: i-2 is not Ready: 2 of at most 2 machines of default are under repair, or were replaced in the last hour",
    ],
    [
        "counts machines that were replaced in the last hour, though their Nodes no longer exist",
        {
            down: { "i-2": 300 },
            replaced: [
                { pool: "default", at: ago(3599) },
                { pool: "default", at: ago(10) },
            ],
        },
        "wait: i-2 is not Ready: 2 of at most 2 machines of default are under repair, or were replaced in the last hour",
    ],
    [
        "counts them for an hour, and for their pool only",
        {
            down: { "i-2": 300 },
            replaced: [
                { pool: "default", at: ago(3600) },
                { pool: "default", at: ago(10) },
                { pool: "other", at: ago(10) },
            ],
        },
        "write i-2 restarting: not Ready for 5 min",
    ],
    [
        "repairs one machine of a small pool",
        { workers: 2, down: { "i-0": 300 } },
        "write i-0 restarting: not Ready for 5 min",
    ],
    [
        "does nothing if many nodes are not Ready",
        { down: Object.fromEntries(["i-0", "i-1", "i-2", "i-3", "i-4", "i-5"].map((name) => [name, 300])) },
        "wait: i-0 is not Ready: so are 6 of 13 nodes, which is probably the network or the API",
    ],
    [
        "does not call the cloud then either",
        { workers: 2, controllers: 1, down: { "i-0": 310, "i-1": 20 }, machines: { "i-0": {} } },
        "wait: i-0 is not Ready: so are 2 of 3 nodes, which is probably the network or the API",
    ],
    [
        "does not count machines that wait for a person",
        {
            workers: 2,
            down: { "i-0": 99_999, "i-1": 300 },
            machines: { "i-0": { state: "manual" } },
        },
        "write i-1 restarting: not Ready for 5 min",
    ],
    [
        "leaves a node that is changed by others",
        { down: { "i-0": 999 }, nodes: { "i-0": { hold: held } } },
        `wait: i-0 is not Ready: ${held}`,
    ],
    [
        "repairs others meanwhile",
        { down: { "i-0": 999, "i-1": 300 }, nodes: { "i-0": { hold: held } } },
        "write i-1 restarting: not Ready for 5 min",
    ],
    [
        "restarts a controller if the others are healthy voters",
        { down: { "c-1": 300 }, members: ["c-0", "c-1!", "c-2"] },
        "write c-1 restarting: not Ready for 5 min",
    ],
    [
        "never replaces a controller",
        { down: { "c-1": 900 }, machines: { "c-1": { ...asked, since: ago(600) } } },
        "write c-1 manual: not Ready for 15 min, after 1 restart",
    ],
    [
        "does not restart a controller whose member is needed",
        { down: { "c-1": 300 }, members: ["c-0!", "c-1", "c-2"] },
        "wait: c-1 is not Ready: etcd needs it, because c-0 is no healthy voter",
    ],
    [
        "does not call the cloud then either",
        { down: { "c-1": 310 }, machines: { "c-1": {} }, members: ["c-0!", "c-1", "c-2"] },
        "wait: c-1 is not Ready: etcd needs it, because c-0 is no healthy voter",
    ],
    [
        "does not restart a controller while another one's Node is not Ready",
        { down: { "c-1": 300, "c-2": 20 } },
        "wait: c-1 is not Ready: etcd needs it, because c-2 is no healthy voter",
    ],
    [
        "waits if the state of etcd is unknown",
        { down: { "c-1": 300 }, members: "unknown" },
        "wait: c-1 is not Ready: the state of etcd is unknown",
    ],
    [
        "leaves the only controller to a person",
        { controllers: 1, down: { "c-0": 300 } },
        "write c-0 manual: not Ready for 5 min, and etcd would have no majority without it",
    ],
];

describe("the decision about machines that need repair", () => {
    for (const [what, scene, expected] of cases) {
        it(what, () => assert.equal(inWords(decideIn(scene)), expected));
    }

    it("emits an Event for each change", () => {
        const reason = (scene: Scene) => (decideIn(scene) as { notice?: { reason: string } }).notice?.reason;
        assert.equal(reason({ down: { "i-0": 300 } }), "MachineRestart");
        assert.equal(reason({ plan: local, down: { "i-0": 300 } }), "MachineNeedsRepair");
        assert.equal(reason({ machines: { "i-0": asked } }), "MachineRecovered");
        const spent = { down: { "i-0": 900 }, machines: { "i-0": { ...asked, since: ago(600) } } };
        assert.equal(reason(spent), "MachineReplacement");
    });
});
