import assert from "node:assert/strict";
import { reportedMembers } from "../../../../../agents/etcd/keeper/status";
import type { Caller } from "../../../../../clients/kubernetes/api-client";
import { ApiError } from "../../../../../clients/kubernetes/api-error";

const status = { time: "2026-11-30T00:00:00Z", members: [], alarms: [] };

function read(availableReplicas: number | undefined, hasReport = true) {
    const call = async (path: string) => {
        if (path.endsWith("/configmaps/etcd-status"))
            return hasReport ? { data: { members: JSON.stringify(status) } } : {};
        if (availableReplicas === undefined) throw new ApiError(404, "not found");
        return { status: availableReplicas === 0 ? {} : { availableReplicas } };
    };
    return reportedMembers({ call } as Caller);
}

describe("what agents know of etcd", () => {
    it("is what its keeper reports while it runs: its last report stays when it ends, and only changes are reported", async () => {
        assert.deepEqual(await read(1), status);
        assert.equal(await read(0), undefined);
        assert.equal(await read(undefined), undefined);
        assert.equal(await read(1, false), undefined);
    });
});
