import assert from "node:assert/strict";
import type { Node } from "../../../../clients/kubernetes/objects";
import { describePool, isComplete, isRefused, type Observation } from "../../../../components/pool-watch/judge";

const node = (name: string, pool = "a", isReady = true) =>
    ({
        metadata: { name, labels: { "node.kubernetes.io/pool": pool } },
        status: { conditions: [{ type: "Ready", status: isReady ? "True" : "False" }] },
    }) as unknown as Node;

const message = "container runtime network not ready: NetworkReady=false cni plugin not initialized";
const withoutCni = {
    ...node("i-1"),
    status: { conditions: [{ type: "Ready", status: "False", message }] },
} as unknown as Node;

const group = { name: "a", desired: 2 };
const named = { name: "a", desired: 2, nodes: ["c-a-0", "c-a-1"] };
const launches = (machines: string[], ...failures: string[]) => ({ group: "c-a", machines, failures });

const cases: {
    readonly what: string;
    readonly observed: Observation;
    readonly complete?: boolean;
    readonly refused?: boolean;
    readonly text?: string;
}[] = [
    {
        what: "all of its nodes have joined",
        observed: { pool: group, nodes: [node("i-1"), node("i-2.ec2.internal"), node("c-b-0", "b")] },
        complete: true,
    },
    {
        what: "a node of another pool, or one that is not Ready, does not count",
        observed: { pool: group, nodes: [node("i-1"), node("i-2", "a", false), node("c-b-0", "b")] },
        text: "pool a: 1 of 2 nodes have joined",
    },
    {
        what: "its group cannot launch",
        observed: { pool: group, nodes: [], launches: launches([], "not eligible for Free Tier", "older", "oldest") },
        refused: true,
        text: "pool a: 0 of 2 nodes have joined; its group c-a has 0 of 2 instances: not eligible for Free Tier; older",
    },
    {
        what: "a former failure does not count once all instances run",
        observed: { pool: group, nodes: [node("i-1")], launches: launches(["i-1", "i-2"], "no capacity") },
        text: "pool a: 1 of 2 nodes have joined; its group c-a has 2 of 2 instances; not joined: i-2; see their consoles",
    },
    {
        what: "nothing has been launched yet",
        observed: { pool: group, nodes: [], launches: launches(["i-1"]) },
        text: "pool a: 0 of 2 nodes have joined; its group c-a has 1 of 2 instances: no launch has failed yet",
    },
    {
        what: "the API is away, and the cloud refuses",
        observed: { pool: group, nodes: { unknown: "ECONNREFUSED" }, launches: launches([], "no capacity") },
        refused: true,
        text: "pool a: its nodes could not be counted (ECONNREFUSED); its group c-a has 0 of 2 instances: no capacity",
    },
    {
        what: "the API is away, and all instances run",
        observed: { pool: group, nodes: { unknown: "ECONNREFUSED" }, launches: launches(["i-1", "i-2"]) },
        text: "pool a: its nodes could not be counted (ECONNREFUSED); its group c-a has 2 of 2 instances",
    },
    {
        what: "the cloud cannot be asked",
        observed: { pool: group, nodes: [], launches: { unknown: "no AWS credentials" } },
        text: "pool a: 0 of 2 nodes have joined; its machines could not be checked (no AWS credentials)",
    },
    {
        what: "machines that the stack names do not join",
        observed: { pool: named, nodes: [node("c-a-0"), node("c-b-0", "b")] },
        text: "pool a: 1 of 2 nodes have joined; not joined: c-a-1; see their consoles",
    },
    {
        what: "a node that only waits for a CNI has joined",
        observed: { pool: { ...group, desired: 1 }, nodes: [withoutCni] },
        complete: true,
    },
    {
        what: "they have joined",
        observed: { pool: named, nodes: [node("c-a-0", ""), node("c-a-1", "")] },
        complete: true,
    },
];

describe("a pool at the end of up", () => {
    for (const { what, observed, complete = false, refused = false, text } of cases) {
        it(what, () => {
            assert.deepEqual([isComplete(observed), isRefused(observed)], [complete, refused]);
            if (text !== undefined) assert.equal(describePool(observed), text);
        });
    }
});
