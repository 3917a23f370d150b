import assert from "node:assert/strict";
import { kubeletRestartPath, kubeletRestartService } from "../../../../components/nodes/kubelet-restart";
import { paths } from "../../../../components/nodes/paths";

describe("the restart of the first kubelet", () => {
    it("is for the file that the bootstrap writes, until the pivot", () => {
        assert.match(kubeletRestartPath, new RegExp(`^PathExists=${paths.kubeletRestart}$`, "m"));
        assert.match(kubeletRestartPath, new RegExp(`^ConditionPathExists=!${paths.bootstrapState}/pivoted$`, "m"));
    });

    it("happens once for each time the file is written", () => {
        const commands = kubeletRestartService.match(/^ExecStart=.*$/gm);
        // Removed first: a file that stays would have the unit started again and again.
        assert.deepEqual(commands, [
            `ExecStart=/bin/rm ${paths.kubeletRestart}`,
            "ExecStart=/bin/systemctl try-restart kubelet.service",
        ]);
    });
});
