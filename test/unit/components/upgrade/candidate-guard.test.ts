import assert from "node:assert/strict";
import type { NodeRole } from "../../../../agents/nodes/promoter/record";
import { ApiError } from "../../../../clients/kubernetes/api-error";
import { candidateProblem } from "../../../../components/upgrade/candidate-guard";
import { fixedCluster, withCandidates } from "../in-cluster/fixture";

function recorded(roles: Record<string, NodeRole["role"]>) {
    const all = Object.entries(roles).map(([name, role]) => [name, { role, since: "2026-01-01T00:00:00Z", why: "" }]);
    const data = { "controllers.json": JSON.stringify(Object.fromEntries(all)) };
    return { call: async <T>() => ({ metadata: {}, data }) as T };
}

describe("candidates that the stack removes", () => {
    it("may be removed unless they are controllers", async () => {
        const api = recorded({
            "c-default-0": "candidate",
            "c-controller-2": "controller",
            "c-default-1": "controller",
        });
        assert.equal(await candidateProblem(api, withCandidates()), undefined);
        assert.equal(
            await candidateProblem(api, fixedCluster()),
            "controllers.candidates must include the pool of c-default-1, and the pool these nodes, as long as they are controllers: first run `tradewind demote c-default-1`",
        );
    });

    it("are kept while they become controllers, but not if they have stopped being one, as a lost machine does", async () => {
        const problem = (role: NodeRole["role"]) => candidateProblem(recorded({ "c-default-1": role }), fixedCluster());
        assert.match(String(await problem("joining")), /first run `tradewind demote c-default-1`$/);
        assert.equal(await problem("leaving"), undefined);
    });

    it("are none without a record", async () => {
        const call = async () => {
            throw new ApiError(404, "not found");
        };
        assert.equal(await candidateProblem({ call }, fixedCluster()), undefined);
    });
});
