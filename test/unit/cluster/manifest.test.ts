import assert from "node:assert/strict";
import { manifestKey, owned } from "../../../cluster/manifest";

describe("a manifest", () => {
    const manifest = {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "a", labels: { own: "yes" }, annotations: { note: "yes" } },
    };

    it("keeps its own labels and annotations when it is marked as owned", () => {
        const { metadata } = owned(manifest);
        assert.deepEqual(metadata, {
            name: "a",
            labels: { own: "yes", "app.kubernetes.io/managed-by": "tradewind" },
            annotations: { note: "yes", "pulumi.com/patchFieldManager": "tradewind-bootstrap" },
        });
        assert.equal(manifest.metadata.labels.own, "yes");
        assert.equal("app.kubernetes.io/managed-by" in manifest.metadata.labels, false);
    });

    it("has a key that is a file name and a resource name too", () => {
        assert.equal(manifestKey(manifest), "configmap/a");
        const metadata = { name: "tradewind:x", namespace: "kube-system" };
        assert.equal(manifestKey({ ...manifest, kind: "Role", metadata }), "role/kube-system/tradewind-x");
    });
});
