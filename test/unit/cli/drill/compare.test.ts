import assert from "node:assert/strict";
import { compare, ignoredFields, ignoredObjects, type StoredObject } from "../../../../cli/drill/compare";

function object(kind: string, name: string, fields: object = {}, metadata: object = {}): StoredObject {
    return { apiVersion: "v1", kind, metadata: { name, namespace: "n", uid: "1", ...metadata }, ...fields };
}

const differences = (before: StoredObject[], after: StoredObject[]) => compare(before, after).differences;

describe("comparing objects before and after", () => {
    it("finds no differences between equal objects, and counts them", () => {
        const all = [object("ConfigMap", "a", { data: { k: "v" } }), object("Secret", "a"), object("Pod", "p")];
        assert.deepEqual(compare(all, structuredClone(all)), { compared: 2, ignored: 1, differences: [] });
    });

    it("finds missing and extra objects", () => {
        assert.deepEqual(differences([object("ConfigMap", "a")], [object("ConfigMap", "b")]), [
            { object: "ConfigMap n/a", kind: "missing" },
            { object: "ConfigMap n/b", kind: "extra" },
        ]);
    });

    it("reports the paths of changed values, but not the values", () => {
        const before = object("Secret", "a", { data: { password: "old", same: "s", gone: "g" } });
        const after = object("Secret", "a", { data: { password: "new", same: "s", added: "a" } });
        assert.deepEqual(differences([before], [after]), [
            { object: "Secret n/a", kind: "changed", paths: ["data.password", "data.gone", "data.added"] },
        ]);
    });

    it("finds a recreated object by its new uid", () => {
        assert.deepEqual(differences([object("ConfigMap", "a")], [object("ConfigMap", "a", {}, { uid: "2" })]), [
            { object: "ConfigMap n/a", kind: "changed", paths: ["metadata.uid"] },
        ]);
    });

    it("distinguishes kinds with the same name by their group", () => {
        const other = { ...object("Thing", "a"), apiVersion: "example.com/v1" };
        assert.equal(differences([object("Thing", "a"), other], [object("Thing", "a")]).length, 1);
    });

    it("finds a list that lost an item", () => {
        const list = (items: number[]) => object("Thing", "a", { spec: { items } });
        assert.deepEqual(differences([list([1, 2])], [list([1])]), [
            { object: "Thing n/a", kind: "changed", paths: ["spec.items"] },
        ]);
    });

    it("ignores only the API's metadata and the current state", () => {
        const before = object("Thing", "a", { status: { observed: 1 } }, { resourceVersion: "1", managedFields: [] });
        const after = object("Thing", "a", { status: { observed: 2 } }, { resourceVersion: "9", managedFields: [{}] });
        assert.deepEqual(differences([before], [after]), []);
        const relabelled = object("Thing", "a", {}, { labels: { a: "b" } });
        assert.equal(differences([object("Thing", "a")], [relabelled]).length, 1);
    });

    it("ignores labels of Nodes, but not their pod CIDR", () => {
        const node = (label: string, podCIDR: string) =>
            object("Node", "n", { spec: { podCIDR } }, { labels: { a: label } });
        assert.deepEqual(differences([node("old", "10.2.0.0/24")], [node("new", "10.2.0.0/24")]), []);
        assert.deepEqual(differences([node("old", "10.2.0.0/24")], [node("new", "10.2.9.0/24")]), [
            { object: "Node n/n", kind: "changed", paths: ["spec.podCIDR"] },
        ]);
    });

    it("ignores the expiration of bootstrap tokens, but not of other Secrets", () => {
        const secret = (type: string, expiration: string) => object("Secret", "a", { type, data: { expiration } });
        const token = "bootstrap.kubernetes.io/token";
        assert.deepEqual(differences([secret(token, "1")], [secret(token, "2")]), []);
        assert.equal(differences([secret("Opaque", "1")], [secret("Opaque", "2")]).length, 1);
    });

    it("ignores Jobs and ConfigMaps by exact name only", () => {
        assert.equal(differences([object("Job", "etcd-snapshot-1")], []).length, 0);
        assert.equal(differences([object("Job", "other")], []).length, 1);
        for (const name of ["etcd-status", "controllers"]) {
            assert.equal(differences([object("ConfigMap", name, {}, { namespace: "kube-system" })], []).length, 0);
            assert.equal(differences([object("ConfigMap", name)], []).length, 1);
        }
    });

    it("has a reason for everything that it ignores", () => {
        for (const { what, why } of [...ignoredObjects, ...ignoredFields]) assert.ok(what && why);
    });
});
