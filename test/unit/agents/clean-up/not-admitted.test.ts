import assert from "node:assert/strict";
import { NotAdmitted, notAdmitted, refusalIn } from "../../../../agents/clean-up/clean-up";
import type { ApiClient } from "../../../../clients/kubernetes/api-client";
import { ApiError } from "../../../../clients/kubernetes/api-error";

const refusal = refusalIn(new ApiError(403, 'admission webhook "a.example.com" denied the request: kept'))!;
const policy = refusalIn(new ApiError(422, "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: kept"))!;

/** An API with two webhook configurations. */
const api = {
    call: async (path: string) => ({
        items: path.endsWith("/validatingwebhookconfigurations")
            ? [
                  { metadata: { name: "one" }, webhooks: [{ name: "a.example.com" }] },
                  { metadata: { name: "two" }, webhooks: [{ name: "b.example.com" }] },
              ]
            : [],
    }),
} as unknown as ApiClient;

describe("a clean-up whose deletions are refused", () => {
    it("fails once they have been refused for long enough without interruption", () => {
        const refused = new NotAdmitted(60);
        assert.equal(refused.isFinal(refusal, 0), false);
        assert.equal(refused.isFinal(refusal, 59_000), false);
        assert.equal(refused.isFinal(undefined, 59_500), false);
        assert.equal(refused.isFinal(refusal, 60_000), false);
        assert.equal(refused.isFinal(refusal, 120_000), true);
    });

    it("reports the webhook's configuration, what is left, and how to leave that behind", async () => {
        const { message } = await notAdmitted(api, refusal, ["load balancer of Service default/web"]);
        assert.deepEqual(message.split("\n"), [
            "the API refuses to delete what the cluster created in its cloud: webhook a.example.com: kept",
            "Left: load balancer of Service default/web",
            "To remove what refuses it and then destroy again:",
            "    kubectl delete validatingwebhookconfiguration one",
            "To leave these behind, destroy again with TRADEWIND_LEFTOVERS=leave.",
        ]);
    });

    it("reports the binding of a policy", async () => {
        const { message } = await notAdmitted(api, policy, []);
        assert.match(message, /policy b: kept/);
        assert.match(message, /\n {4}kubectl delete validatingadmissionpolicybinding b\n/);
    });

    it("ignores errors of other kinds", () => {
        assert.equal(refusalIn(new ApiError(409, "the object has been modified")), undefined);
    });
});
