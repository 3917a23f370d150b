import assert from "node:assert/strict";
import { grantRoles, nodesToGrant } from "../../../../../agents/nodes/approver/grant-roles";
import type { NodeApproverPlan } from "../../../../../agents/nodes/approver/plan";
import type { ApiClient } from "../../../../../clients/kubernetes/api-client";
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

describe("granting roles in a cluster with candidates", () => {
    const plan = {
        controllerPool: "controller",
        pools: "pools",
        controllers: "admitted",
        demoted: "controllers",
    } as NodeApproverPlan;

    it("leaves demoted controllers alone, and reads why only once a minute", async () => {
        const calls: string[] = [];
        const data: Record<string, string> = {
            "demoted.c-controller-1": "requested",
            "pools.json": JSON.stringify({ pools: { controller: { nodes: all } } }),
            "controllers.json": JSON.stringify(all),
        };
        const call = async (path: string, { method = "GET" } = {}) => {
            calls.push(`${method} ${path.split("/").at(-1)!.split("?")[0]}`);
            return { data } as never;
        };
        const api = { call } as unknown as ApiClient;
        const demoted = new Map<string, number>();
        await grantRoles(api, plan, [node("c-controller-1")], demoted);
        await grantRoles(api, plan, [node("c-controller-1")], demoted);
        assert.deepEqual(calls.splice(0), ["GET controllers"]);
        await grantRoles(api, plan, [node("c-controller-0"), node("c-controller-1")], demoted);
        assert.deepEqual(calls.splice(0), ["GET controllers", "GET pools", "GET admitted", "PATCH c-controller-0"]);
        const { demoted: _, ...without } = plan;
        await grantRoles(api, without as NodeApproverPlan, [node("c-controller-1")]);
        assert.deepEqual(calls, ["GET pools", "GET admitted", "PATCH c-controller-1"]);
    });
});
