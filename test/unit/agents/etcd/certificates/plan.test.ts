import assert from "node:assert/strict";
import { planSchema } from "../../../../../agents/etcd/certificates/plan";
import { planProblems } from "../../../../../agents/harness/plan";
import { etcdCertificatesPlan } from "../../../../../cluster/manifests/etcd/etcd-certificates";
import { resolveCluster } from "../../../../../cluster/resolve";

describe("the plan of etcd-certificates", () => {
    it("is accepted as the stack writes it", () => {
        const plan = etcdCertificatesPlan(resolveCluster({ name: "c" }), "c-controller-0");
        assert.deepEqual(planProblems(JSON.parse(JSON.stringify(plan)), planSchema), []);
    });

    it("is rejected with all of its problems", () => {
        const plan = {
            name: "",
            url: "http://x/",
            healthUrl: "https://x",
            pki: "pki",
            staticPod: "",
            annotation: { name: "" },
            data: "data",
            api: { server: "http://x", credentials: { ca: "ca", client: "" } },
            timeoutSeconds: 0,
        };
        assert.deepEqual(planProblems(plan, planSchema), [
            'name must be a name (got "")',
            'url must be an https:// URL without a path (got "http://x/")',
            'healthUrl must be an http:// URL without a path (got "https://x")',
            'pki must be an absolute path (got "pki")',
            'staticPod must be an absolute path (got "")',
            'data must be an absolute path (got "data")',
            'annotation.name must be a name (got "")',
            'api.server must be an https:// URL without a path (got "http://x")',
            'api.credentials.ca must be an absolute path (got "ca")',
            'api.credentials.client must be an absolute path (got "")',
            "timeoutSeconds must be a positive number (got 0)",
        ]);
    });
});
