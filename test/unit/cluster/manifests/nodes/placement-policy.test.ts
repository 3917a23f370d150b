import assert from "node:assert/strict";
import { controllerLabel } from "../../../../../cluster/labels";
import type { Manifest } from "../../../../../cluster/manifest";
import { flannel } from "../../../../../cluster/manifests/addons/flannel";
import { onMemberNode } from "../../../../../cluster/manifests/agent-workloads";
import { nodeRemovalAccount } from "../../../../../cluster/manifests/nodes/node-removal";
import { placementPolicy } from "../../../../../cluster/manifests/nodes/placement-policy";
import { fixedCluster } from "../../../components/in-cluster/fixture";
import { golden } from "../../../golden";

describe("the guard of labels that bring the control plane to nodes", () => {
    const [policy, binding] = placementPolicy(fixedCluster()) as [Manifest, Manifest];

    it("is as reviewed", () => golden(__dirname, "placement-policy", [policy, binding]));

    it("is of every label by which pods with keys find their machines", () => {
        for (const label of [controllerLabel, ...Object.keys(onMemberNode("c-controller-0").nodeSelector as object)]) {
            assert.ok(JSON.stringify(policy).includes(`labels[?\\"${label}\\"]`), label);
        }
    });

    it("names the clients that have their own rule", () => {
        const accounts = [...flannel(fixedCluster()), ...nodeRemovalAccount()].filter(
            ({ kind }) => kind === "ServiceAccount",
        );
        for (const { metadata } of accounts) {
            const user = `system:serviceaccount:${metadata.namespace}:${metadata.name}`;
            assert.ok(JSON.stringify(policy).includes(`\\"${user}\\"`), user);
        }
        assert.equal(accounts.length, 2);
    });

    it("denies what it can't judge, and is in force", () => {
        assert.equal((policy.spec as { failurePolicy: string }).failurePolicy, "Fail");
        assert.deepEqual(binding.spec, { policyName: policy.metadata.name, validationActions: ["Deny"] });
    });
});
