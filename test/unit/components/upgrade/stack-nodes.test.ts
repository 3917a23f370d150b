import assert from "node:assert/strict";
import { type ApiObject, namesOf } from "../../../../clients/kubernetes/objects";
import { poolLabel } from "../../../../cluster/labels";
import { resolveCluster } from "../../../../cluster/resolve";
import { compareNodes, describeUnserved } from "../../../../components/upgrade/stack-nodes";

const cluster = resolveCluster({ name: "c", workerPools: [{ name: "a", count: 1 }] });
const node = (name: string, pool?: string): ApiObject => ({
    metadata: { name, labels: pool ? { [poolLabel]: pool } : {} },
});
const groups = { namePattern: "^i-[0-9a-f]{17}$", desired: ["g"] };
const instance = `i-${"0".repeat(17)}`;

describe("nodes of machines that a stack removes", () => {
    const leaving = (all: ApiObject[], recorded: string[] = [], given?: typeof groups) =>
        namesOf(compareNodes(cluster, all, recorded, given).leaving);

    it("are those of a smaller, removed or renamed pool, but not those that others joined", () => {
        const all = [node("c-controller-0", "controller"), node("c-a-0", "a"), node("c-a-1", "a"), node("c-b-0", "b")];
        assert.equal(leaving([...all, node("c-own-0"), node("mine", "a")]), "c-a-1, c-b-0");
    });

    it("are found by the stack's own record if they lost their label", () => {
        assert.equal(leaving([node("c-a-0"), node("c-a-1")], ["c-a-0", "c-a-1"]), "c-a-1");
    });

    it("are those of a removed pool whose nodes a cloud names", () => {
        assert.equal(leaving([node(instance, "old")], [], groups), instance);
        assert.equal(leaving([node(instance, "g")], [], groups), "");
    });

    it("are those of a pool of candidates that becomes a group, and of a group that becomes one", () => {
        const asGroup = { ...groups, desired: ["a"] };
        assert.equal(leaving([node("c-a-0", "a"), node(instance, "a")], ["c-a-0"], asGroup), "c-a-0");
        assert.equal(leaving([node("c-a-0", "a"), node(instance, "a")], [], { ...groups, desired: [] }), instance);
    });
});

describe("nodes that no node-agent of their pool serves", () => {
    const unserved = (...all: ApiObject[]) => compareNodes(cluster, all, [], groups).unserved;

    it("are those without the label, or with that of another pool", () => {
        assert.deepEqual(unserved(node("c-a-0")).map(describeUnserved), [
            "the node c-a-0 has no label node.kubernetes.io/pool, so no node-agent of its pool updates its kubelet: run `kubectl label node c-a-0 node.kubernetes.io/pool=a --overwrite`",
        ]);
        assert.match(
            describeUnserved(unserved(node("c-a-0", "b"))[0]!),
            /has the label node.kubernetes.io\/pool=b, .*=a --/,
        );
        assert.equal(unserved(node(instance)).length, 1);
    });

    it("are not those that others joined, or that are removed", () => {
        assert.deepEqual(unserved(node("c-a-0", "a"), node("mine"), node("c-a-1", "a"), node(instance, "g")), []);
    });
});
