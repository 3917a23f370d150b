import assert from "node:assert/strict";
import { priorities } from "../../../../../cluster/manifest";
import { kubeSystemPolicy } from "../../../../../cluster/manifests/control-plane/kube-system-policy";
import { componentUsers } from "../../../../../cluster/manifests/pod";
import { golden } from "../../../golden";

describe("the policy for pods outside kube-system", () => {
    const [policy, binding] = kubeSystemPolicy();

    it("is as reviewed", () => golden(__dirname, "kube-system-policy", [policy, binding]));

    it("keeps every class that the control plane and its nodes have", () => {
        for (const { name } of Object.values(priorities)) assert.ok(name.startsWith("system-"), name);
        assert.match(JSON.stringify(policy), /startsWith\(\\"system-\\"\)/);
    });

    it("keeps every user of the control plane, each of which is one component's", () => {
        const users = Object.values(componentUsers);
        for (const user of users) assert.match(JSON.stringify(policy), new RegExp(`\\b${user}\\b.*\\]`));
        assert.equal(new Set(users).size, users.length);
    });

    it("ignores updates of existing pods", () => {
        const { resourceRules } = (policy!.spec as { matchConstraints: { resourceRules: object[] } }).matchConstraints;
        assert.deepEqual(
            resourceRules.map((rule) => {
                const { resources, operations } = rule as { resources: string[]; operations: string[] };
                return [...resources, ...operations];
            }),
            [
                ["pods", "CREATE"],
                ["pods/ephemeralcontainers", "UPDATE"],
            ],
        );
    });
});
