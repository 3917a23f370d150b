import assert from "node:assert/strict";
import { nodesToGrant } from "../../../../../agents/nodes/approver/grant-roles";
import { leavingAnnotation } from "../../../../../clients/kubernetes/nodes";
import type { Node, With } from "../../../../../clients/kubernetes/objects";
import { pools } from "./asked";

const node = (name: string, annotations: Record<string, string> = {}): With<Node, "resourceVersion"> => ({
    metadata: { name, resourceVersion: "1", annotations },
});
const all = ["c-controller-0", "c-controller-1", "c-controller-2", "c-a-0"];
const granted = (nodes: readonly With<Node, "resourceVersion">[], admitted: readonly string[] = all) =>
    nodesToGrant(nodes, pools, admitted, "controller").map(({ metadata }) => metadata.name);

describe("a controller that registered again without its role", () => {
    it("gets it back", () => assert.deepEqual(granted([node("c-controller-0")]), ["c-controller-0"]));

    it("does not while it is being removed", () =>
        assert.deepEqual(granted([node("c-controller-0", { [leavingAnnotation]: "true" })]), []));

    it("does not if it is no longer in the stack", () => assert.deepEqual(granted([node("c-controller-2")]), []));

    it("does not before the stack has seen its etcd member join", () =>
        assert.deepEqual(granted([node("c-controller-0"), node("c-controller-1")], ["c-controller-0"]), [
            "c-controller-0",
        ]));

    it("does not if it is a worker that claims to be a controller", () =>
        assert.deepEqual(granted([node("c-a-0")]), []));

    it("does not if controllers have no names", () => {
        const group = { pools: { controller: { group: "c-controller" } } };
        assert.deepEqual(nodesToGrant([node("c-controller-0")], group, all, "controller"), []);
        assert.deepEqual(nodesToGrant([node("c-controller-0")], { pools: {} }, all, "controller"), []);
    });
});
