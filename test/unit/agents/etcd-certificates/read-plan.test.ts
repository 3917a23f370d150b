import assert from "node:assert/strict";
import { planProblems } from "../../../../agents/etcd-certificates/read-plan";

describe("the plan of etcd-certificates", () => {
    it("is taken as the stack writes it", () => {
        assert.deepEqual(planProblems({ name: "c-controller-0", url: "https://127.0.0.1:2379", pki: "/etc/pki" }), []);
    });

    it("is refused with all that is wrong with it", () => {
        assert.deepEqual(planProblems({ name: "", url: "http://x/", pki: "pki", timeoutSeconds: 0 }), [
            'name must be a name, got ""',
            'url must be an https:// URL without a path, got "http://x/"',
            'pki must be an absolute path, got "pki"',
            "timeoutSeconds must be a positive number, got 0",
        ]);
    });
});
