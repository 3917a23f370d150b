import assert from "node:assert/strict";
import type { LabelSelector, WebhookRule } from "../../../../clients/kubernetes/objects";
import { selects, writesOf } from "../../../../components/admission/webhooks";
import { webhook } from "./sample";

const labels = {
    "kube-system": { "kubernetes.io/metadata.name": "kube-system" },
    "kube-node-lease": { "kubernetes.io/metadata.name": "kube-node-lease" },
};
const rule = (change: Partial<WebhookRule>) => ({ apiGroups: ["*"], operations: ["*"], resources: ["*/*"], ...change });

const rules: [WebhookRule, string[]][] = [
    [rule({ resources: ["pods"], operations: ["CREATE"] }), ["pods"]],
    [rule({ resources: ["pods/*"] }), ["pods", "pods/binding", "pods/status"]],
    [rule({ resources: ["*"], apiGroups: [""] }), ["pods", "nodes"]],
    [rule({ resources: ["*/status"], apiGroups: [""] }), ["pods/status", "nodes/status"]],
    [rule({ apiGroups: ["coordination.k8s.io"] }), ["leases", "leases"]],
    [rule({ apiGroups: ["coordination.k8s.io"], operations: ["CREATE", "DELETE"] }), []],
    [rule({ scope: "Cluster", apiGroups: [""] }), ["nodes", "nodes/status"]],
    [rule({ scope: "Namespaced", resources: ["nodes"] }), []],
    [rule({ resources: ["deployments", "services"] }), []],
];

const selectors: [LabelSelector, boolean][] = [
    [{}, true],
    [{ matchLabels: { a: "1" } }, true],
    [{ matchLabels: { a: "2" } }, false],
    [{ matchExpressions: [{ key: "a", operator: "In", values: ["1", "2"] }] }, true],
    [{ matchExpressions: [{ key: "b", operator: "In", values: ["1"] }] }, false],
    [{ matchExpressions: [{ key: "a", operator: "NotIn", values: ["1"] }] }, false],
    [{ matchExpressions: [{ key: "b", operator: "NotIn", values: ["1"] }] }, true],
    [{ matchExpressions: [{ key: "a", operator: "Exists" }] }, true],
    [{ matchExpressions: [{ key: "a", operator: "DoesNotExist" }] }, false],
];

describe("a webhook", () => {
    for (const [each, expected] of rules) {
        it(`is called for ${expected.join(", ") || "nothing vital"} with ${JSON.stringify(each)}`, () => {
            const writes = writesOf(webhook({ rules: [each] }), labels);
            assert.deepEqual([...new Set(writes.map(({ resource }) => resource))], [...new Set(expected)]);
        });
    }

    it("is called for what is in namespaces that it selects, and for what is in none", () => {
        const key = "kubernetes.io/metadata.name";
        const namespaces = { matchExpressions: [{ key, operator: "NotIn", values: ["kube-system"] }] };
        const words = writesOf(webhook({ namespaces }), labels).map((write) => write.words);
        assert.deepEqual([...new Set(words)], ["leases of nodes", "nodes", "certificate signing requests"]);
    });
});

describe("a selector", () => {
    for (const [selector, expected] of selectors) {
        it(`${JSON.stringify(selector)} ${expected ? "selects" : "does not select"} a=1`, () => {
            assert.equal(selects(selector, { a: "1" }), expected);
        });
    }
});
