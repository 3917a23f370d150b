import assert from "node:assert/strict";
import { artifactsOf } from "../../../local/artifacts";
import { mergeConfig } from "../../../local/stack-config";
import { versions } from "../../../versions";

describe("the artifacts of a local cluster", () => {
    const { kubernetes, etcd } = versions;
    const config = mergeConfig("local", {}, {});

    it("are those of its versions", () => {
        assert.deepEqual(artifactsOf(config), { kubernetes, etcd, uses: { metricsServer: false } });
        const other = mergeConfig("local", {}, { kubernetes: "1.36.3", etcd: "3.6.16" });
        assert.deepEqual(artifactsOf(other), {
            kubernetes: "1.36.3",
            etcd: "3.6.16",
            uses: { metricsServer: false },
        });
    });

    it("include metrics-server if the configuration does, also as the text that Pulumi stores", () => {
        for (const value of [true, "true"]) {
            const uses = artifactsOf({ ...config, "tradewind:metricsServer": value })?.uses;
            assert.deepEqual(uses, { metricsServer: true });
        }
    });

    it("are left to the stack for a cloud, and for a version that it refuses", () => {
        assert.equal(artifactsOf({ ...config, "tradewind:cloud": "aws" }), undefined);
        assert.equal(artifactsOf({ ...config, "tradewind:kubernetesVersion": "1.2.3" }), undefined);
    });
});
