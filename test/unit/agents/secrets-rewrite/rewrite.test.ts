import assert from "node:assert/strict";
import { rewriteSecrets } from "../../../../agents/secrets-rewrite/rewrite";
import type { ApiClient, Call } from "../../../../clients/kubernetes/api-client";
import { ApiError } from "../../../../clients/kubernetes/api-error";

const plan = { apiServer: "https://127.0.0.1:6443", pageSize: 1 };
const page = (name: string, from?: string) => ({
    metadata: { continue: from },
    items: [{ metadata: { name, namespace: "default" } }],
});

/** An API with these answers to list requests, one after another, and `written` as the answer to writes. */
function fake(answers: unknown[], written: (path: string) => unknown = () => ({})) {
    const patched: string[] = [];
    const call = async (path: string, { method = "GET" }: Call = {}) => {
        const answer = method === "GET" ? answers.shift() : written(path);
        if (answer instanceof Error) throw answer;
        if (method !== "GET") patched.push(path.split("/").at(-1)!);
        return answer;
    };
    return { api: { call } as unknown as ApiClient, patched };
}

describe("the rewrite of Secrets", () => {
    it("does nothing if there are none", async () => {
        assert.equal(await rewriteSecrets(fake([{ metadata: {}, items: [] }]).api, plan), 0);
    });

    it("starts over if etcd has compacted the revision of its pages", async () => {
        const { api, patched } = fake([page("a", "x"), new ApiError(410, "expired"), page("a", "y"), page("b")]);
        assert.equal(await rewriteSecrets(api, plan), 2);
        assert.deepEqual(patched, ["a", "a", "b"]);
    });

    it("skips a Secret that was deleted in the meantime", async () => {
        const gone = (path: string) => (path.endsWith("/a") ? new ApiError(404, "gone") : {});
        const { api, patched } = fake([page("a", "x"), page("b")], gone);
        assert.equal(await rewriteSecrets(api, plan), 2);
        assert.deepEqual(patched, ["b"]);
    });

    it("writes all other Secrets, and then names those that the API refuses to write", async () => {
        const refusing = (path: string) => (path.endsWith("/a") ? new ApiError(403, "a webhook says no") : {});
        const { api, patched } = fake([page("a", "x"), page("b", "y"), page("c")], refusing);
        await assert.rejects(rewriteSecrets(api, plan), {
            message:
                "2 of 3 Secrets are encrypted with the first key; the API refuses to write the others:\n  default/a: 403: a webhook says no",
        });
        assert.deepEqual(patched, ["b", "c"]);
    });

    it("names only the first of many", async () => {
        const items = Array.from({ length: 12 }, (_, index) => page(`s${index}`).items[0]);
        const { api } = fake([{ metadata: {}, items }], () => new ApiError(403, "no"));
        await assert.rejects(
            rewriteSecrets(api, plan),
            /^Error: 0 of 12 .*[\s\S]* default\/s9: 403: no\n {2}and 2 more$/,
        );
    });

    it("stops at once when the API does not answer", async () => {
        const { api } = fake([page("a", "x"), page("b")], () => new Error("connection refused"));
        await assert.rejects(rewriteSecrets(api, plan), {
            message: "could not rewrite Secret default/a: connection refused",
        });
    });
});
