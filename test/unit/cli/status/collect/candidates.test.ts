import assert from "node:assert/strict";
import { controllersKey, progressKey } from "../../../../../agents/nodes/promoter/record";
import { candidateFacts } from "../../../../../cli/status/collect/api";
import type { DaemonSet } from "../../../../../clients/kubernetes/objects";
import { nodePromoter } from "../../../../../cluster/manifests/nodes/node-promoter";
import { withCandidates } from "../../../components/in-cluster/fixture";

describe("the facts about candidates", () => {
    const promoter = nodePromoter(withCandidates(), "text") as unknown as DaemonSet;
    const count = {
        count: 3,
        possible: ["c-controller-0", "c-controller-1", "c-controller-2", "c-default-0", "c-default-1"],
    };
    const record = { "c-default-0": { role: "controller", since: "2026-01-01T00:00:00Z", why: "a test" } } as const;

    it("are the roles and the progress", () => {
        const data = { [controllersKey]: JSON.stringify(record), [progressKey]: "waits" };
        assert.deepEqual(candidateFacts({ data }, [promoter]), { ...count, roles: record, progress: "waits" });
        assert.deepEqual(candidateFacts({}, [promoter]), { ...count, roles: {} });
    });

    it("say why the record cannot be used, and do not fail", () => {
        const data = { [controllersKey]: JSON.stringify({ a: { role: "master" } }) };
        const { roles, problem } = candidateFacts({ data }, [promoter])!;
        assert.deepEqual(roles, {});
        assert.match(problem!, /^controllers\.json: a\.role must be one of candidate, .* \(got "master"\)/);
        assert.equal(candidateFacts(undefined, [promoter])!.problem, "it does not exist");
    });

    it("are none without candidates", () => assert.equal(candidateFacts({}, []), undefined));
});
