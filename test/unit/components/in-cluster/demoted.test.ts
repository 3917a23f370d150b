import assert from "node:assert/strict";
import type { Caller } from "../../../../clients/kubernetes/api-client";
import { ApiError } from "../../../../clients/kubernetes/api-error";
import { demotedControllers } from "../../../../components/in-cluster/candidates";

describe("the controllers that the cluster has demoted", () => {
    const api = (answer: object | Error): Caller => ({
        call: async (path: string) => {
            assert.equal(path, "/api/v1/namespaces/kube-system/configmaps/controllers");
            if (answer instanceof Error) throw answer;
            return answer as never;
        },
    });

    it("are those with a key in the record, which a new cluster does not have", async () => {
        const data = { "demoted.c-controller-1": "lost for 60 s", "request.c-controller-2": "demote", progress: "x" };
        assert.deepEqual(await demotedControllers(api({ data })), ["c-controller-1"]);
        assert.deepEqual(await demotedControllers(api({})), []);
        assert.deepEqual(await demotedControllers(api(new ApiError(404, "not found", "configmaps"))), []);
        await assert.rejects(() => demotedControllers(api(new ApiError(500, "broken"))), /broken/);
    });
});
