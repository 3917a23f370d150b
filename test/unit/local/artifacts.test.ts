import assert from "node:assert/strict";
import { artifactsOf } from "../../../local/artifacts";
import { mergeConfig } from "../../../local/stack-config";
import { versions } from "../../../versions";

describe("the artifacts of a local cluster", () => {
    const { kubernetes, etcd } = versions;
    const none = { metricsServer: false, logs: false, prometheus: false, kubeletPods: false };
    const config = mergeConfig("local", {}, {});

    it("are those of its versions", () => {
        assert.deepEqual(artifactsOf(config), { kubernetes, etcd, uses: none });
        const other = mergeConfig("local", {}, { kubernetes: "1.36.3", etcd: "3.6.16" });
        assert.deepEqual(artifactsOf(other), { kubernetes: "1.36.3", etcd: "3.6.16", uses: none });
    });

    it("include metrics-server if the configuration does, also as the text that Pulumi stores", () => {
        for (const value of [true, "true"]) {
            const uses = artifactsOf({ ...config, "tradewind:metricsServer": value })?.uses;
            assert.deepEqual(uses, { ...none, metricsServer: true });
        }
    });

    it("include the collector of logs if the configuration sends them", () => {
        const uses = artifactsOf({ ...config, "tradewind:logs": { protocol: "otlp" } })?.uses;
        assert.deepEqual(uses, { ...none, logs: true });
    });

    it("include Prometheus if the configuration does", () => {
        const uses = artifactsOf({ ...config, "tradewind:prometheus": {} })?.uses;
        assert.deepEqual(uses, { ...none, prometheus: true });
    });

    it("include an image of the kubelet if kubelets are pods", () => {
        for (const kubelet of [true, "true"]) {
            const uses = artifactsOf({ ...config, "tradewind:selfHosted": { kubelet } })?.uses;
            assert.deepEqual(uses, { ...none, kubeletPods: true });
        }
    });

    it("are left to the stack for a cloud, and for a version that it refuses", () => {
        assert.equal(artifactsOf({ ...config, "tradewind:cloud": "aws" }), undefined);
        assert.equal(artifactsOf({ ...config, "tradewind:kubernetesVersion": "1.2.3" }), undefined);
    });
});
