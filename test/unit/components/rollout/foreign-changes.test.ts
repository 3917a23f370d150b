import assert from "node:assert/strict";
import type { FieldTree, ManagedFields } from "../../../../clients/kubernetes/objects";
import { describeChange, foreignChanges, ownedFields, takenOver } from "../../../../components/rollout/foreign-changes";

const main = 'k:{"name":"main"}';
const limit: FieldTree = { "f:spec": { "f:containers": { [main]: { ".": {}, "f:memory": {} } } } };
const object = (memory: string, more: object = {}) => ({ spec: { containers: [{ name: "main", memory }], ...more } });
const entry = (manager: string, fieldsV1: FieldTree, more: Partial<ManagedFields> = {}): ManagedFields => ({
    ...{ manager, operation: "Update", apiVersion: "v1", time: "t", fieldsType: "FieldsV1" },
    ...{ fieldsV1, ...more },
});
const own = (fieldsV1: FieldTree) => entry("tradewind-bootstrap", fieldsV1, { operation: "Apply" });
const live = (memory: string, managedFields: ManagedFields[]) => ({
    ...object(memory, { replicas: 3 }),
    apiVersion: "v1",
    metadata: { resourceVersion: "1", managedFields },
});

describe("what others changed of an object", () => {
    const cases: [string, ManagedFields, Parameters<typeof foreignChanges>[0]["desired"], string[]][] = [
        [
            "is what the stack sets otherwise",
            entry("k9s", limit),
            object("1"),
            ["k9s set spec.containers[main].memory"],
        ],
        ["is nothing where both want the same", entry("k9s", limit), object("2"), []],
        [
            "is what the stack drops",
            entry("k9s", limit),
            { spec: { containers: [{ name: "main" }] } },
            ["k9s set spec.containers[main].memory"],
        ],
        ["is nothing that the stack never set", entry("hpa", { "f:spec": { "f:replicas": {} } }), object("2"), []],
        ["is nothing of a status", entry("kubelet", limit, { subresource: "status" }), object("1"), []],
        [
            "is what a subresource set",
            entry("kubectl", { "f:spec": { "f:replicas": {} } }, { subresource: "scale" }),
            object("2", { replicas: 2 }),
            ["kubectl set spec.replicas"],
        ],
        [
            "is nothing of an item alone",
            entry("k9s", { "f:spec": { "f:containers": { [main]: { ".": {} } } } }),
            object("1"),
            [],
        ],
        ["is nothing of the stack's own", own(limit), object("1"), []],
    ];
    for (const [title, managed, desired, expected] of cases) {
        it(title, () => {
            const sides = { live: live("2", [managed]), desired, before: object("2") };
            assert.deepEqual(foreignChanges(sides).map(describeChange), expected);
        });
    }

    it("is named by its path, without a value, and not endlessly", () => {
        const labels = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`f:a.b/${i}`, {}]));
        const desired = {
            metadata: { labels: Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`a.b/${i}`, "x"])) },
        };
        const sides = { live: live("2", [entry("m", { "f:metadata": { "f:labels": labels } })]), desired, before: {} };
        const [text] = foreignChanges(sides).map(describeChange);
        assert.match(text!, /^m set metadata\.labels\["a\.b\/0"\], .*\["a\.b\/7"\] and 2 more$/);
    });
});

describe("fields that the stack takes over", () => {
    it("are those that it sets or drops; others keep the rest", () => {
        const theirs = { ...limit, "f:metadata": { "f:labels": { "f:theirs": {} } } };
        const before = object("2");
        const managed = [entry("k9s", theirs), own({ "f:spec": { "f:replicas": {} } })];
        const [left, ours] = takenOver({ live: live("2", managed), desired: {}, before })!;
        assert.deepEqual(
            [left!.manager, left!.fieldsV1],
            ["k9s", { "f:metadata": { "f:labels": { "f:theirs": {} } } }],
        );
        assert.deepEqual([ours!.manager, ours!.operation], ["tradewind-bootstrap", "Apply"]);
        assert.deepEqual(
            ownedFields(ours!.fieldsV1!)
                .filter(({ isFrame }) => !isFrame)
                .map(({ path }) => path),
            ["spec.replicas", "spec.containers[main].memory"],
        );
    });

    it("are none where nothing of the stack's is owned by others", () => {
        const managed = [own(limit), entry("kubelet", limit, { subresource: "status" })];
        assert.equal(takenOver({ live: live("2", managed), desired: object("1"), before: object("1") }), undefined);
    });
});
