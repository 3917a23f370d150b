import assert from "node:assert/strict";
import { resolveCluster } from "../../../../components/cluster/resolve";
import { controllerConfig } from "../../../../components/nodes/controller";
import { paths } from "../../../../components/nodes/paths";
import { diffable } from "../../../../ignition";

const download = { urls: ["https://mirror.example/file"], sha256: "0".repeat(64) };

describe("a controller's kubelet", () => {
    it("joins by the API's name, for its own apiserver comes later", () => {
        const cluster = resolveCluster({ name: "c", controllers: { count: 3 } });
        const config = controllerConfig(cluster, {
            machine: { name: "c-controller-0", address: "10.0.0.11" },
            downloads: { kubelet: download, cniPlugins: download },
            ca: "CA",
            bootstrapToken: "abcdef.0123456789abcdef",
        });
        const access = diffable(config)[paths.bootstrapKubeconfig] ?? "";
        assert.match(access, /"server": "https:\/\/api\.c\.tradewind\.internal:6443"/);
    });
});
