import assert from "node:assert/strict";
import { bootstrapRestart, nodeAgentRestart } from "../../../../../cluster/machines/kubelet/restart";
import { paths } from "../../../../../cluster/paths";

describe("the restart of the kubelet", () => {
    it("is for the file that the bootstrap writes, until the pivot", () => {
        assert.match(bootstrapRestart.path, new RegExp(`^PathExists=${paths.kubeletRestart}$`, "m"));
        assert.match(bootstrapRestart.path, new RegExp(`^ConditionPathExists=!${paths.bootstrapState}/pivoted$`, "m"));
    });

    it("is for the file that the node-agent writes, for ever", () => {
        assert.match(nodeAgentRestart.path, new RegExp(`^PathExists=${paths.nodeAgentState}/restart-kubelet$`, "m"));
        assert.doesNotMatch(nodeAgentRestart.path, /^Condition/m);
    });

    it("happens once for each time the file is written", () => {
        const requests = [
            [bootstrapRestart, paths.kubeletRestart],
            [nodeAgentRestart, `${paths.nodeAgentState}/restart-kubelet`],
        ] as const;
        for (const [{ service }, request] of requests) {
            // Removed first: if the file stayed, the unit would start again and again.
            assert.deepEqual(service.match(/^ExecStart=.*$/gm), [
                `ExecStart=/bin/rm ${request}`,
                "ExecStart=-/bin/systemctl reset-failed kubelet.service",
                "ExecStart=/bin/systemctl restart kubelet.service",
            ]);
        }
    });
});
