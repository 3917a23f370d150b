import assert from "node:assert/strict";
import { isOver } from "../../../local/pods";

describe("a pod", () => {
    const hadToGo = [{ type: "DisruptionTarget", status: "True" }];

    it("is over if it completed, or was evicted with its node", () => {
        assert.ok(isOver({ phase: "Succeeded" }));
        assert.ok(isOver({ phase: "Failed", conditions: hadToGo }));
    });

    it("is over if it failed and its Job counted that", () => {
        const of = (kind: string) => ({ ownerReferences: [{ kind, name: "o", uid: "1" }] });
        assert.ok(isOver({ phase: "Failed" }, of("Job")));
        assert.ok(!isOver({ phase: "Running" }, of("Job")));
        assert.ok(!isOver({ phase: "Failed" }, of("ReplicaSet")));
    });

    it("is not over if it failed by itself, or is being deleted", () => {
        assert.ok(!isOver({ phase: "Failed", conditions: [{ type: "DisruptionTarget", status: "False" }] }));
        assert.ok(!isOver({ phase: "Failed" }));
        assert.ok(!isOver({ phase: "Running", conditions: hadToGo }));
        assert.ok(!isOver({}));
    });
});
