import assert from "node:assert/strict";
import { resolveCluster } from "../../../../components/cluster/resolve";
import { controllerConfig } from "../../../../components/nodes/controller";
import { paths } from "../../../../components/nodes/paths";
import { diffable } from "../../../../ignition";

const download = { urls: ["https://mirror.example/file"], sha256: "0".repeat(64) };

describe("a controller's kubelet", () => {
    const server = (isFirst: boolean) => {
        const cluster = resolveCluster({ name: "c", controllers: { count: 3 } });
        const config = controllerConfig(cluster, {
            machine: { name: "c-controller-0", address: "10.0.0.11" },
            downloads: { kubelet: download, cniPlugins: download },
            ca: "CA",
            bootstrapToken: "abcdef.0123456789abcdef",
            isFirst,
        });
        return /"server": "([^"]+)"/.exec(diffable(config)[paths.bootstrapKubeconfig] ?? "")?.[1];
    };

    it("of the first one talks to its own apiserver", () => assert.equal(server(true), "https://127.0.0.1:6443"));

    it("of a further one joins by the API's name, for its own apiserver comes later", () => {
        assert.equal(server(false), "https://api.c.tradewind.internal:6443");
    });
});
