import assert from "node:assert/strict";
import { kubeletConfiguration } from "../../../../cluster/kubelet-settings";
import { resolveCluster } from "../../../../cluster/resolve";
import { componentPodOf } from "../../components/in-cluster/fixture";

const gatesOf = (kubernetesVersion: string, gates?: string) => {
    const components = { kubeApiserver: { ...(gates && { "feature-gates": gates }) } };
    const cluster = resolveCluster({ name: "c", kubernetesVersion, components });
    const { containers = [] } = componentPodOf(cluster, "kube-apiserver").spec as {
        containers: { command: string[] }[];
    };
    const { featureGates } = kubeletConfiguration(cluster, "controller") as { featureGates?: object };
    return [containers[0]!.command.filter((each) => each.startsWith("--feature-gates")), featureGates];
};

describe("feature gates", () => {
    it("let pods mount images in versions that do not by default", () => {
        assert.deepEqual(gatesOf("1.34.4"), [["--feature-gates=ImageVolume=true"], { ImageVolume: true }]);
        assert.deepEqual(gatesOf("1.34.4", "AllAlpha=false")[0], ["--feature-gates=ImageVolume=true,AllAlpha=false"]);
    });

    it("are not set in versions that do", () => {
        for (const version of ["1.35.4", "1.37.2"]) assert.deepEqual(gatesOf(version), [[], undefined]);
    });
});
