import assert from "node:assert/strict";
import { awsAddons } from "../../../../components/aws/in-cluster";
import type { AwsOptions } from "../../../../components/aws/options";
import { resolveAws } from "../../../../components/aws/resolve";

const workloads = (options: Partial<AwsOptions>) => {
    const { cluster, aws } = resolveAws("c", { domain: "example.com", region: "eu-central-1", ...options });
    const all = awsAddons(cluster, aws).filter(({ kind }) => /DaemonSet|Deployment/.test(kind));
    return all.map(({ metadata }) => metadata.name);
};

describe("what a cluster runs of AWS' own", () => {
    it("are none by default", () => assert.deepEqual(workloads({}), []));

    it("include cluster-autoscaler with the cloud controller", () =>
        assert.deepEqual(
            workloads({
                cloudController: true,
                autoscaler: true,
                workerPools: [{ name: "a", min: 1, max: 3 }],
            }),
            ["cloud-controller-manager", "cluster-autoscaler"],
        ));

    it("is the driver of volumes", () =>
        assert.deepEqual(workloads({ csiDriver: true }), ["ebs-csi-controller", "ebs-csi-node"]));

    it("is the snapshot controller, with its kinds before its class", async () => {
        assert.deepEqual(workloads({ csiDriver: true, volumeSnapshots: true }), [
            "ebs-csi-controller",
            "ebs-csi-node",
            "snapshot-controller",
        ]);
        assert.throws(() => workloads({ volumeSnapshots: true }), /volumeSnapshots requires csiDriver \(got true\)/);
    });

    it("use the configured images, and the release's own otherwise", () => {
        const options = { csiDriver: true, cloudImages: { csiAttacher: "registry.example/attacher:v1" } };
        const { cluster, aws } = resolveAws("c", { domain: "example.com", region: "eu-central-1", ...options });
        const images = JSON.stringify(awsAddons(cluster, aws)).match(/(?<="image":")[^"]+/g)!;
        assert.ok(images.includes("registry.example/attacher:v1"));
        assert.ok(!images.some((image) => image.includes("/csi-attacher")));
        assert.ok(images.some((image) => image.startsWith("registry.k8s.io/sig-storage/csi-resizer:")));
    });

    it("is the cloud controller", () =>
        assert.deepEqual(workloads({ cloudController: true }), ["cloud-controller-manager"]));
});
