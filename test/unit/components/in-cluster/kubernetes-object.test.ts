import assert from "node:assert/strict";
import { kubernetesObject } from "../../../../components/in-cluster/kubernetes-object";
import { deploy } from "../../deploy";

const manifest = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "b" }, data: { key: "old" } };

describe("an object under Pulumi's ownership", () => {
    it("is the manifest, marked as ours, with the fields that are known later", async () => {
        const { resources } = await deploy(() => kubernetesObject("c", manifest, {}, { data: { key: "new" } }));
        const { name, type, inputs } = resources.at(-1)!;
        assert.deepEqual([type, name], ["kubernetes:core/v1:ConfigMap", "c/configmap/b/a"]);
        assert.deepEqual(inputs.data, { key: "new" });
        assert.equal(inputs.metadata.annotations["pulumi.com/patchFieldManager"], "tradewind-bootstrap");
    });

    it("of a kind that nothing here makes is refused", () => {
        assert.throws(() => kubernetesObject("c", { ...manifest, kind: "Pod" }, {}), {
            message: /^a manifest's kind must be one of CSIDriver, .*, got Pod$/,
        });
    });
});
