import assert from "node:assert/strict";
import { controllerConfig } from "../../../../cluster/machines/controller";
import type { ClusterOptions } from "../../../../cluster/options";
import { paths } from "../../../../cluster/paths";
import { resolveCluster } from "../../../../cluster/resolve";
import { diffable } from "../../../../ignition";

const download = { urls: ["https://mirror.example/file"], sha256: "0".repeat(64) };

describe("a controller's kubelet", () => {
    const textsOf = (options: Partial<ClusterOptions>) =>
        diffable(
            controllerConfig(resolveCluster({ name: "c", ...options }), {
                machine: { name: "c-controller-0", address: "10.0.0.11" },
                downloads: { kubelet: download, cniPlugins: download },
                ca: "CA",
                bootstrapToken: "abcdef.0123456789abcdef",
            }),
        );

    it("joins by the API's name, because its own apiserver starts later", () => {
        const access = textsOf({ controllers: { count: 3 } })[paths.bootstrapKubeconfig] ?? "";
        assert.match(access, /"server": "https:\/\/api\.c\.tradewind\.internal:6443"/);
    });

    it("is left out by load balancers of Services, unless it takes ordinary pods", () => {
        const leftOut = /node\.kubernetes\.io\/exclude-from-external-load-balancers=(,|$)/m;
        const unitOf = (options: Partial<ClusterOptions>) => textsOf(options)["kubelet.service"]!;
        const workerPools = [{ name: "a" }];
        assert.match(unitOf({ cloudProvider: "aws", workerPools }), leftOut);
        assert.doesNotMatch(unitOf({ cloudProvider: "aws" }), leftOut);
        assert.doesNotMatch(unitOf({ workerPools }), leftOut);
    });
});
