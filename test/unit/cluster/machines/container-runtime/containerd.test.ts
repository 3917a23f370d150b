import assert from "node:assert/strict";
import { containerd } from "../../../../../cluster/machines/container-runtime/containerd";
import { diffable } from "../../../../../ignition";
import { fixedCluster } from "../../../components/in-cluster/fixture";

describe("containerd", () => {
    const texts = diffable(containerd(fixedCluster(), {}));

    it("keeps the pod sandbox's image, which nothing would pull again", () => {
        assert.match(texts["/etc/containerd/config.toml"]!, /sandbox = 'registry\.example\/pause:v1'/);
    });

    it("lets a host's own settings win by drop-ins", () => {
        assert.match(texts["/etc/containerd/config.toml"]!, /^imports = \["\/etc\/containerd\/conf\.d\/\*\.toml"\]$/m);
    });

    it("runs with this config, whatever the OS image's unit says", () => {
        assert.match(
            texts["containerd.service.d/10-config.conf"]!,
            /^ExecStart=\nExecStart=.* --config \/etc\/containerd/m,
        );
    });
});
