import assert from "node:assert/strict";
import { propagationOf, timeoutOf } from "../../../../../simulator/plugins/kubernetes/annotations";

describe("annotations for the provider", () => {
    const annotated = (name: string, value: string) => ({
        metadata: { annotations: { [`pulumi.com/${name}`]: value } },
    });

    it("set the timeout, unless customTimeouts do", () => {
        const object = annotated("timeoutSeconds", "30");
        assert.equal(timeoutOf(object, 0, 600), 30);
        assert.equal(timeoutOf(object, 7, 600), 7);
        assert.equal(timeoutOf({}, 0, 600), 600);
        assert.equal(timeoutOf(annotated("timeoutSeconds", "soon"), 0, 600), 600);
    });

    it("set the propagation of a deletion", () => {
        assert.equal(propagationOf({}), "Foreground");
        assert.equal(propagationOf(annotated("deletionPropagationPolicy", "background")), "Background");
        assert.equal(propagationOf(annotated("deletionPropagationPolicy", "Orphan")), "Orphan");
    });
});
