import assert from "node:assert/strict";
import { accountAgentPod, frugal } from "../../../../cluster/manifests/agent-workloads";
import { fixedCluster } from "../../components/in-cluster/fixture";

describe("the pod of an agent that uses the API with its service account", () => {
    const configMaps = [{ name: "list", configMap: "a-list", mountPath: "/list" }];
    const pod = accountAgentPod(fixedCluster(), "a", { program: "a-1", ...frugal, configMaps });
    // In the form sent to the API.
    const { containers, volumes, serviceAccountName, securityContext } = JSON.parse(JSON.stringify(pod));

    it("runs its program with its plan, as nobody, with the service account of its name", () => {
        assert.deepEqual(containers[0].command, [
            "node",
            "--max-old-space-size=64",
            "/opt/tradewind/a/a.js",
            "/opt/tradewind/a/plan.json",
        ]);
        assert.equal(serviceAccountName, "a");
        assert.equal(securityContext.runAsNonRoot, true);
    });

    it("has what it reads from ConfigMaps, and nothing of its node", () => {
        assert.deepEqual(volumes, [
            { name: "program", configMap: { name: "a-1" } },
            { name: "list", configMap: { name: "a-list" } },
        ]);
        assert.deepEqual(containers[0].volumeMounts, [
            { name: "program", mountPath: "/opt/tradewind/a", readOnly: true },
            { name: "list", mountPath: "/list", readOnly: true },
        ]);
    });
});
