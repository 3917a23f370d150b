import assert from "node:assert/strict";
import { ApiClient, type Call, list, patch, remove } from "../../../../clients/kubernetes/api-client";
import { ApiError } from "../../../../clients/kubernetes/api-error";

/** An API that answers with these, in order, and throws the errors among them. */
function apiOf(...answers: unknown[]) {
    const calls: [string, Call | undefined][] = [];
    const call = async <T>(path: string, sent?: Call) => {
        calls.push([path, sent]);
        const answer = answers.shift();
        if (answer instanceof Error) throw answer;
        return answer as T;
    };
    return { call, calls };
}

describe("a list", () => {
    it("has the items of all pages", async () => {
        const api = apiOf({ items: [1, 2], metadata: { continue: "a/b" } }, { items: [3], metadata: { continue: "" } });
        assert.deepEqual(await list(api, "/api/v1/pods?limit=2", { timeoutMilliseconds: 5 }), [1, 2, 3]);
        const sent = { timeoutMilliseconds: 5 };
        assert.deepEqual(api.calls, [
            ["/api/v1/pods?limit=2", sent],
            ["/api/v1/pods?limit=2&continue=a%2Fb", sent],
        ]);
    });

    it("is empty if the API names no items", async () => {
        assert.deepEqual(await list(apiOf({}), "/api/v1/pods"), []);
        const pages = apiOf({ items: [1], metadata: { continue: "a" } }, { items: null });
        assert.deepEqual(await list(pages, "/api/v1/pods?limit=1"), [1]);
    });
});

describe("a patch", () => {
    for (const [kind, contentType] of [
        ["merge", "application/merge-patch+json"],
        ["strategic", "application/strategic-merge-patch+json"],
        ["json", "application/json-patch+json"],
        ["apply", "application/apply-patch+yaml"],
    ] as const) {
        it(`of kind ${kind} is sent as ${contentType}`, async () => {
            const api = apiOf({ kind: "Node" });
            assert.deepEqual(await patch(api, "/api/v1/nodes/n0", kind, { a: 1 }), { kind: "Node" });
            assert.deepEqual(api.calls, [["/api/v1/nodes/n0", { method: "PATCH", contentType, body: { a: 1 } }]]);
        });
    }
});

describe("deleting an object", () => {
    it("says whether it existed", async () => {
        const api = apiOf({});
        assert.equal(await remove(api, "/api/v1/nodes/n0", { gracePeriodSeconds: 0 }), true);
        assert.deepEqual(api.calls, [["/api/v1/nodes/n0", { method: "DELETE", body: { gracePeriodSeconds: 0 } }]]);
        assert.equal(await remove(apiOf(new ApiError(404, "not found")), "/api/v1/nodes/n0"), false);
    });

    it("fails for any other reason", async () => {
        await assert.rejects(remove(apiOf(new ApiError(409, "conflict")), "/api/v1/nodes/n0"), /409: conflict/);
    });
});

describe("a client", () => {
    it("closes its connections after it was used, whatever the outcome", async () => {
        for (const act of [async () => "done", async () => assert.fail("no")]) {
            const api = new ApiClient("https://127.0.0.1:1", () => ({}));
            let closed = 0;
            api.reconnect = () => closed++;
            const outcome = await api.closeAfter(act).catch((error: Error) => error.message);
            assert.deepEqual([outcome, closed], [outcome === "done" ? "done" : "no", 1]);
        }
    });
});
