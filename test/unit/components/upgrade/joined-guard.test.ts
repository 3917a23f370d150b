import assert from "node:assert/strict";
import type { Caller } from "../../../../clients/kubernetes/api-client";
import { ApiError } from "../../../../clients/kubernetes/api-error";
import { poolLabel } from "../../../../cluster/labels";
import { joinedProblem } from "../../../../components/upgrade/joined-guard";
import { fixedCluster } from "../in-cluster/fixture";

const since = "2026-12-01T00:00:00Z";
const entry = (pool: string, more: object = {}) =>
    JSON.stringify({
        pool,
        addresses: ["10.0.0.7"],
        token: "abcdef",
        expires: since,
        key: "k",
        joined: since,
        ...more,
    });
const node = (name: string, pool: string) => ({ metadata: { name, labels: { [poolLabel]: pool } } });

function problem(data: Readonly<Record<string, string>> | undefined, ...nodes: ReturnType<typeof node>[]) {
    const call = async (path: string) => {
        if (data === undefined) throw new ApiError(404, `${path} not found`);
        return { metadata: {}, data };
    };
    return joinedProblem({ call } as Caller, nodes, fixedCluster({ workerPools: [{ name: "default" }] }));
}

describe("pools that the stack removes", () => {
    it("must stay as long as machines that joined by a token are in them", async () => {
        const data = { "rack-1": entry("gpu"), "rack-2": entry("old"), "rack-3": entry("default") };
        assert.equal(
            await problem(data, node("rack-1", "gpu"), node("rack-2", "old"), node("rack-3", "default")),
            "workerPools must include the pools of machines that joined by a token: gpu (rack-1), old (rack-2); first run `tradewind reset rack-1`, `tradewind reset rack-2`",
        );
    });

    it("may be removed once these machines were reset, or given up", async () => {
        const data = { "rack-1": entry("gpu", { reset: since }), "rack-2": JSON.stringify({ removed: since }) };
        assert.equal(await problem(data, node("rack-1", "gpu"), node("rack-2", "gpu")), undefined);
        assert.equal(await problem(data), undefined);
    });

    it("may be removed with their own machines, and with nodes that someone labelled", async () => {
        assert.equal(await problem(undefined, node("c-gpu-0", "gpu"), node("mine", "gpu")), undefined);
        assert.equal(await problem({ constructor: entry("gpu") }, node("mine", "gpu")), undefined);
    });
});
