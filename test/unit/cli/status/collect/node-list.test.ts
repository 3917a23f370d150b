import assert from "node:assert/strict";
import { readNodes } from "../../../../../cli/status/collect/node-list";
import { nodeFacts } from "../../../../../cli/status/collect/nodes";
import type { Call } from "../../../../../clients/kubernetes/api-client";
import type { Node } from "../../../../../clients/kubernetes/objects";

const columnDefinitions = ["Name", "Status", "Roles", "Age", "Version", "Internal-IP"].map((name) => ({ name }));
const row = (name: string, status: string, address = "10.0.0.1") => ({
    cells: [name, status, "<none>", "5d", "v1.36.3", address],
    object: { metadata: { name, labels: { "node.kubernetes.io/pool": "default" } } },
});
const whole = (name: string): Node => ({
    metadata: { name },
    status: { conditions: [{ type: "Ready", status: "Unknown", message: "Kubelet stopped posting node status." }] },
});

/** Facts of an API's nodes, and what was read. */
async function read(answers: Readonly<Record<string, unknown>>) {
    const calls: string[] = [];
    const call = async (path: string, { accept }: Call = {}): Promise<unknown> => {
        calls.push(`${accept?.includes("as=Table") ? "table " : ""}${path}`);
        if (answers[path] === undefined) throw new Error(`unexpected ${path}`);
        return answers[path];
    };
    return { nodes: (await readNodes({ call: call as never }, {})).map(nodeFacts), calls };
}

const first = "/api/v1/nodes?limit=1000";

describe("the list of nodes", () => {
    it("is read as tables, page by page", async () => {
        const { nodes, calls } = await read({
            [first]: { metadata: { continue: "a=" }, columnDefinitions, rows: [row("a", "Ready")] },
            [`${first}&continue=a%3D`]: { columnDefinitions, rows: [row("b", "Ready,SchedulingDisabled", "<none>")] },
        });
        const ready = { isController: false, isReady: true, problem: undefined, kubelet: "1.36.3", pool: "default" };
        assert.deepEqual(nodes, [
            { ...ready, name: "a", address: "10.0.0.1", isCordoned: false },
            { ...ready, name: "b", address: undefined, isCordoned: true },
        ]);
        assert.deepEqual(calls, [`table ${first}`, `table ${first}&continue=a%3D`]);
    });

    it("has the reasons of nodes that are not Ready", async () => {
        const rows = [row("a", "Ready"), row("b", "NotReady"), row("c", "Unknown,SchedulingDisabled")];
        const { nodes, calls } = await read({
            [first]: { columnDefinitions, rows },
            "/api/v1/nodes/b": whole("b"),
            "/api/v1/nodes/c": whole("c"),
        });
        assert.deepEqual(
            nodes.map(({ problem }) => problem),
            [undefined, "Kubelet stopped posting node status.", "Kubelet stopped posting node status."],
        );
        assert.equal(calls.length, 3);
    });

    it("is read again as a whole if many are not Ready", async () => {
        const names = Array.from({ length: 21 }, (_, index) => `n${index}`);
        const { nodes, calls } = await read({
            [first]: { columnDefinitions, rows: names.map((name) => row(name, "NotReady")) },
            "/api/v1/nodes?limit=500": { items: names.map(whole) },
        });
        assert.ok(nodes.every(({ problem }) => problem?.includes("stopped posting")));
        assert.equal(calls.length, 2);
    });

    it("is taken as a server without tables sends it", async () => {
        const { nodes } = await read({ [first]: { items: [whole("a")] }, "/api/v1/nodes/a": whole("a") });
        assert.equal(nodes[0]!.problem, "Kubelet stopped posting node status.");
    });
});
