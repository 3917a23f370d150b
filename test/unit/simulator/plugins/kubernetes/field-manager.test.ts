import assert from "node:assert/strict";
import {
    fieldManagerOf,
    takenOver,
    wasWrittenByPlugin,
} from "../../../../../simulator/plugins/kubernetes/field-manager";
import type { ManagedFields } from "../../../../../simulator/plugins/kubernetes/object";

describe("the owner of an object's fields", () => {
    const annotated = { metadata: { annotations: { "pulumi.com/patchFieldManager": "bootstrap" } } };

    it("is the one that the object specifies, rather than the recorded one", () => {
        assert.equal(fieldManagerOf(annotated, { __fieldManager: "recorded" }), "bootstrap");
        assert.equal(fieldManagerOf({}, { __fieldManager: "recorded" }), "recorded");
    });

    it("is generated otherwise", () => {
        assert.match(fieldManagerOf({}, {}), /^pulumi-kubernetes-[0-9a-f]{8}$/);
        assert.notEqual(fieldManagerOf({}, {}), fieldManagerOf({}, {}));
    });

    const entry = (
        manager: string,
        operation: "Apply" | "Update",
        fieldsV1: object,
        more: object = {},
    ): ManagedFields => {
        return { manager, operation, apiVersion: "v1", fieldsType: "FieldsV1", fieldsV1: { ...fieldsV1 }, ...more };
    };

    it("takes over fields created without it, set by kubectl, and previously owned", () => {
        const fields = [
            entry("pulumi-kubernetes", "Update", { "f:data": { "f:a": {} } }),
            entry("kubectl-edit", "Update", { "f:data": { "f:b": {} } }),
            entry("mine", "Apply", { "f:metadata": {} }),
            entry("controller", "Update", { "f:data": { "f:c": {} } }),
        ];
        const [other, mine] = takenOver(fields, "mine", "v1");
        assert.deepEqual(other, fields[3]);
        assert.equal(mine?.manager, "mine");
        assert.equal(mine?.operation, "Apply");
        assert.deepEqual(mine?.fieldsV1, { "f:data": { "f:a": {}, "f:b": {} }, "f:metadata": {} });
    });

    it("leaves a subresource to the manager that writes it", () => {
        const status = entry("kubectl-edit", "Update", { "f:status": {} }, { subresource: "status" });
        assert.deepEqual(takenOver([status], "mine", "v1")[0], status);
    });

    it("ignores conflicts in a preview with this plugin's fields, but not with kubectl's", () => {
        const by = (manager: string) =>
            wasWrittenByPlugin({ metadata: { managedFields: [entry(manager, "Update", {})] } });
        assert.equal(by("pulumi-kubernetes"), true);
        assert.equal(by("kubectl-edit"), false);
    });
});
