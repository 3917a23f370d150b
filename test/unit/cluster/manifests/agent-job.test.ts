import assert from "node:assert/strict";
import { agentJob } from "../../../../cluster/manifests/agent-workloads";

describe("an agent that works until it is done", () => {
    const options = { name: "a-1", agent: "a", timeoutSeconds: 9 };
    const spec = { containers: [] };

    it("is started again for as long as it takes, and waited for by the stack", () => {
        const job = agentJob(options, spec);
        assert.deepEqual(job.metadata, {
            name: "a-1",
            namespace: "kube-system",
            annotations: { "pulumi.com/timeoutSeconds": "9" },
        });
        const template = { metadata: { labels: { "k8s-app": "a" } }, spec };
        assert.deepEqual(job.spec, { backoffLimit: 2 ** 31 - 1, template });
    });

    it("has annotations where it is given any: with others it is another Job", () => {
        const { template } = agentJob({ ...options, annotations: { of: "it" } }, spec).spec as {
            template: { metadata: { annotations: object } };
        };
        assert.deepEqual(template.metadata.annotations, { of: "it" });
    });
});
