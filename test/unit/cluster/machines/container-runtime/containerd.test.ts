import assert from "node:assert/strict";
import { containerd } from "../../../../../cluster/machines/container-runtime/containerd";
import { diffable } from "../../../../../ignition";
import { fixedCluster } from "../../../components/in-cluster/fixture";

describe("containerd", () => {
    const texts = diffable(containerd(fixedCluster(), {}));

    it("keeps the pod sandbox's image, which nothing would pull again", () => {
        assert.match(texts["/etc/containerd/config.toml"]!, /sandbox = 'registry\.example\/pause:v1'/);
    });

    it("can be overridden by drop-ins on the host", () => {
        assert.match(texts["/etc/containerd/config.toml"]!, /^imports = \["\/etc\/containerd\/conf\.d\/\*\.toml"\]$/m);
    });

    it("runs with this config, whatever unit the OS image has", () => {
        assert.match(
            texts["containerd.service.d/10-config.conf"]!,
            /^ExecStart=\nExecStart=.* --config \/etc\/containerd/m,
        );
    });
});
