import assert from "node:assert/strict";
import { selfHostedKubelet } from "../../../../../cluster/manifests/nodes/kubelet-pods";
import { fixedCluster } from "../../../components/in-cluster/fixture";
import { golden } from "../../../golden";

describe("the kubelet's own pods", () => {
    const manifests = selfHostedKubelet(fixedCluster());

    it("are as reviewed", () => golden(__dirname, "kubelet", manifests));

    it("are one on a node at a time: two would take the lock by turns", () => {
        const { updateStrategy } = manifests[1]!.spec as { updateStrategy: object };
        assert.deepEqual(updateStrategy, {
            type: "RollingUpdate",
            rollingUpdate: { maxSurge: 0, maxUnavailable: 1 },
        });
    });

    it("hold nothing that Kubernetes would expand in their commands", () => {
        // `$$` becomes `$`, and `$(NAME)` the value of a variable of the container.
        const { template } = manifests[1]!.spec as { template: object };
        assert.doesNotMatch(JSON.stringify(template), /\$\$|\$\(\w+\)/);
    });
});
