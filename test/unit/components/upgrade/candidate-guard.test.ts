import assert from "node:assert/strict";
import { memberLabel } from "../../../../agents/nodes/promoter/plan";
import type { NodeRole } from "../../../../agents/nodes/promoter/record";
import { controllerLabel } from "../../../../cluster/labels";
import { candidateProblem, surplusNote } from "../../../../components/upgrade/candidate-guard";
import { fixedCluster, withCandidates } from "../in-cluster/fixture";

const node = (name: string, member?: string) => ({
    metadata: { name, ...(member && { labels: { [memberLabel]: member } }) },
});
const recorded = (name: string, role: NodeRole["role"]) => ({
    [name]: { role, since: "2026-12-01T00:00:00Z", why: "" },
});

describe("candidates that the stack removes", () => {
    it("may be removed unless they are controllers", () => {
        const nodes = [node("c-controller-0"), node("c-default-0"), node("c-default-1", "joining"), node("x")];
        assert.equal(candidateProblem(nodes, {}, withCandidates()), undefined);
        assert.equal(
            candidateProblem(nodes, {}, fixedCluster()),
            "controllers.candidates must include the pool of c-default-1, and the pool these nodes, as long as they are controllers: first run `tradewind demote c-default-1`",
        );
    });

    it("must stay while the record says that they are controllers, even without a Node", () => {
        const record = recorded("c-default-1", "controller");
        assert.match(candidateProblem([], record, fixedCluster())!, /first run `tradewind demote c-default-1`$/);
        assert.equal(candidateProblem([], recorded("c-default-1", "candidate"), fixedCluster()), undefined);
    });

    it("must stay until their members are removed", () => {
        const record = recorded("c-default-1", "leaving");
        assert.match(
            candidateProblem([node("c-default-1")], record, fixedCluster())!,
            /: first wait until c-default-1 is demoted \(`tradewind status`\)$/,
        );
        assert.match(
            candidateProblem([node("c-default-0", "joining"), node("c-default-1")], record, fixedCluster())!,
            /: first run `tradewind demote c-default-0`, and wait until c-default-1 is demoted/,
        );
    });

    it("may be removed if they were controllers and their machines are lost", () => {
        const nodes = [node("c-default-1", "leaving")];
        assert.equal(candidateProblem(nodes, recorded("c-default-1", "leaving"), fixedCluster()), undefined);
    });

    it("are not the stack's own controllers, even those that were demoted and promoted again", () => {
        const fewer = withCandidates({ controllers: { count: 1, candidates: ["default"] } });
        const record = recorded("c-controller-2", "controller");
        assert.equal(candidateProblem([node("c-controller-2", "joining")], record, fewer), undefined);
    });
});

describe("fewer controllers", () => {
    const serving = (...names: string[]) =>
        names.map((name) => ({ metadata: { name, labels: { [controllerLabel]: "" } } }));
    const one = withCandidates({ controllers: { count: 1, candidates: ["default"] } });

    it("may leave more than count, because promoted candidates stay", () => {
        assert.equal(
            surplusNote(serving("c-controller-0", "c-controller-1", "c-default-0"), one),
            "controllers.count becomes 1, but 2 nodes stay controllers: c-controller-0, c-default-0; once this is done, run `tradewind demote` for 1 of them",
        );
    });

    it("are no more than count if the one that stays was replaced, and none leaves by a promotion beyond count", () => {
        assert.equal(surplusNote(serving("c-controller-1", "c-controller-2", "c-default-0"), one), undefined);
        assert.equal(surplusNote(serving("c-controller-0", "c-default-0"), one), undefined);
        assert.equal(surplusNote(serving("c-controller-0", "c-controller-1", "c-controller-2"), one), undefined);
    });
});
