import assert from "node:assert/strict";
import {
    type ControllerNode,
    grantRoles,
    nodesToGrant,
    withoutRolePaths,
} from "../../../../../agents/nodes/approver/grant-roles";
import type { NodeApproverPlan } from "../../../../../agents/nodes/approver/plan";
import type { ApiClient } from "../../../../../clients/kubernetes/api-client";
import { leavingAnnotation } from "../../../../../clients/kubernetes/nodes";
import { pools } from "./asked";

const node = (name: string, annotations: Record<string, string> = {}, uid = name): ControllerNode => ({
    metadata: { name, uid, resourceVersion: "1", annotations },
});
const all = ["c-controller-0", "c-controller-1", "c-controller-2", "c-a-0"];
const granted = (nodes: readonly ControllerNode[], admitted: readonly string[] = all) =>
    nodesToGrant(nodes, pools, admitted, { controllerPool: "controller" }).map(({ metadata }) => metadata.name);

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
        assert.deepEqual(nodesToGrant([node("c-controller-0")], group, all, { controllerPool: "controller" }), []);
        assert.deepEqual(
            nodesToGrant([node("c-controller-0")], { pools: {} }, all, { controllerPool: "controller" }),
            [],
        );
    });
});

describe("granting roles in a cluster with candidates", () => {
    const plan = {
        ...{ controllerPool: "controller", poolLabel: "pool", controllerLabel: "role" },
        ...{ pools: "pools", controllers: "admitted", record: "controllers", candidates: ["c-a-0", "c-a-1"] },
    } as unknown as NodeApproverPlan;
    const own = [...all.slice(0, 3)];
    let calls: string[];
    let data: Record<string, Record<string, string>>;
    const api = {
        call: async (path: string, { method = "GET" } = {}) => {
            const name = path.split("/").at(-1)!.split("?")[0]!;
            calls.push(`${method} ${name}`);
            return { data: data[name] };
        },
    } as unknown as ApiClient;
    const record = (roles: Record<string, string>) =>
        JSON.stringify(
            Object.fromEntries(Object.entries(roles).map(([name, role]) => [name, { role, since: "", why: "" }])),
        );

    beforeEach(() => {
        calls = [];
        data = {
            controllers: {
                "demoted.c-controller-1": "requested",
                "controllers.json": record({ "c-a-0": "controller", "c-a-1": "candidate" }),
            },
            pools: { "pools.json": JSON.stringify({ pools: { controller: { nodes: own } } }) },
            admitted: { "controllers.json": JSON.stringify(own) },
        };
    });

    it("leaves demoted controllers alone, and reads why only every five minutes", async () => {
        const withheld = new Map<string, number>();
        await grantRoles(api, plan, [node("c-controller-1")], withheld);
        await grantRoles(api, plan, [node("c-controller-1")], withheld);
        assert.deepEqual(calls.splice(0), ["GET controllers"]);
        await grantRoles(api, plan, [node("c-controller-0"), node("c-controller-1")], withheld);
        assert.deepEqual(calls.splice(0), ["GET controllers", "GET pools", "GET admitted", "PATCH c-controller-0"]);
        const { record: _, candidates: __, ...without } = plan;
        await grantRoles(api, without, [node("c-controller-1")]);
        assert.deepEqual(calls, ["GET pools", "GET admitted", "PATCH c-controller-1"]);
    });

    it("gives it to a candidate that is recorded as a controller, and to no other", async () => {
        await grantRoles(api, plan, [node("c-a-0"), node("c-a-1"), node("c-b-0")]);
        assert.deepEqual(calls, ["GET controllers", "GET pools", "GET admitted", "PATCH c-a-0"]);
        for (const text of [record({ "c-a-0": "leaving" }), "{", undefined]) {
            data.controllers = text === undefined ? {} : { "controllers.json": text };
            calls = [];
            await grantRoles(api, plan, [node("c-a-0")]);
            assert.deepEqual(calls, ["GET controllers"], text);
        }
    });

    it("looks at once at a candidate whose Node was deleted and registered again", async () => {
        const withheld = new Map<string, number>();
        await grantRoles(api, plan, [node("c-a-1")], withheld);
        data.controllers = { "controllers.json": record({ "c-a-1": "controller" }) };
        calls = [];
        await grantRoles(api, plan, [node("c-a-1")], withheld);
        assert.deepEqual(calls, []);
        await grantRoles(api, plan, [node("c-a-1", {}, "another")], withheld);
        assert.deepEqual(calls, ["GET controllers", "GET pools", "GET admitted", "PATCH c-a-1"]);
        assert.equal(withheld.size, 0);
    });

    it("watches candidates without the role by their names", () =>
        assert.deepEqual(withoutRolePaths(plan).map(decodeURIComponent), [
            "/api/v1/nodes?labelSelector=!role,pool=controller",
            "/api/v1/nodes?labelSelector=!role,kubernetes.io/hostname in (c-a-0,c-a-1)",
        ]));
});
