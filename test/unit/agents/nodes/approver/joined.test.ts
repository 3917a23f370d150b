import assert from "node:assert/strict";
import { parseJoined, readJoined, writeJoined } from "../../../../../agents/nodes/approver/joined";
import type { Call } from "../../../../../clients/kubernetes/api-client";
import { ApiError } from "../../../../../clients/kubernetes/api-error";

const machine = { pool: "a", addresses: ["10.0.0.9"], token: "abcdef", expires: "2030-01-01T00:00:00Z" };

function fakeApi(answer: object | undefined) {
    const calls: string[] = [];
    const call = async (path: string, { method = "GET", body }: Call = {}) => {
        calls.push(`${method} ${path.split("/").at(-1)} ${JSON.stringify(body) ?? ""}`.trim());
        if (answer === undefined && method !== "POST") throw new ApiError(404, "not found", "configmaps");
        return answer as never;
    };
    return { call, calls };
}

describe("the record of machines that join by a token", () => {
    it("has whole entries only: machines of others may not join", () => {
        const data = {
            "rack-1": JSON.stringify(machine),
            "rack-2": "not JSON",
            "rack-3": JSON.stringify({ ...machine, pool: "" }),
            "rack-4": JSON.stringify({ removed: "2030-01-01T00:00:00Z" }),
            "rack-5": "null",
        };
        assert.deepEqual(JSON.parse(JSON.stringify(parseJoined({ data }))), { "rack-1": machine });
    });

    it("is empty as long as there is none", async () => {
        assert.deepEqual(await readJoined(fakeApi(undefined)), { machines: {} });
    });

    it("is created with the first machine", async () => {
        const api = fakeApi(undefined);
        await writeJoined(api, { "rack-1": machine });
        const data = { "rack-1": JSON.stringify(machine) };
        assert.deepEqual(api.calls, [
            `PATCH joined-machines ${JSON.stringify({ data })}`,
            `POST configmaps ${JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "joined-machines", namespace: "kube-system" }, data })}`,
        ]);
    });

    it("is never created by an agent that has read it", async () => {
        await assert.rejects(writeJoined(fakeApi(undefined), { "rack-1": machine }, "7"), /404/);
    });
});
