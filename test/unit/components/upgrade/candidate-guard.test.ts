import assert from "node:assert/strict";
import { memberLabel } from "../../../../agents/nodes/promoter/plan";
import { candidateProblem } from "../../../../components/upgrade/candidate-guard";
import { fixedCluster, withCandidates } from "../in-cluster/fixture";

const node = (name: string, member?: string) => ({
    metadata: { name, ...(member && { labels: { [memberLabel]: member } }) },
});

describe("candidates that the stack removes", () => {
    it("may be removed unless they are controllers", () => {
        const nodes = [node("c-controller-0"), node("c-default-0"), node("c-default-1", "joining"), node("x")];
        assert.equal(candidateProblem(nodes, withCandidates()), undefined);
        assert.equal(
            candidateProblem(nodes, fixedCluster()),
            "controllers.candidates must include the pool of c-default-1, and the pool these nodes, as long as they are controllers: first run `tradewind demote c-default-1`",
        );
    });

    it("may be removed if they were controllers and their machines are lost", () => {
        assert.equal(candidateProblem([node("c-default-1", "leaving")], fixedCluster()), undefined);
    });
});
