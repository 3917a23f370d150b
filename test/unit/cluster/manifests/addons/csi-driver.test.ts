import assert from "node:assert/strict";
import type { Manifest } from "../../../../../cluster/manifest";
import { awsCsiDriver } from "../../../../../cluster/manifests/addons/aws";
import { digitalOceanCsiDriver } from "../../../../../cluster/manifests/addons/digitalocean";
import { fixedCluster } from "../../../components/in-cluster/fixture";

const cluster = fixedCluster();
const drivers = {
    "ebs.csi.aws.com": awsCsiDriver(cluster, { region: "eu-central-1" }),
    "dobs.csi.digitalocean.com": digitalOceanCsiDriver(cluster),
};

const withSnapshots: Readonly<Record<string, readonly Manifest[]>> = {
    "ebs.csi.aws.com": awsCsiDriver(cluster, { region: "eu-central-1", volumeSnapshots: true }),
    "dobs.csi.digitalocean.com": digitalOceanCsiDriver(cluster, { volumeSnapshots: true }),
};

for (const [driver, manifests] of Object.entries(drivers)) {
    const ofKind = (kind: string) => manifests.find((each) => each.kind === kind)!;

    describe(`the driver of volumes ${driver}`, () => {
        it("is registered by its name, and has the class of claims that name none", () => {
            assert.equal(ofKind("CSIDriver").metadata.name, driver);
            const { provisioner, metadata, volumeBindingMode } = ofKind("StorageClass");
            assert.equal(provisioner, driver);
            assert.equal(metadata.annotations?.["storageclass.kubernetes.io/is-default-class"], "true");
            assert.equal(volumeBindingMode, "WaitForFirstConsumer");
        });

        it("has a controller, which is evicted one at a time, and something on each node", () => {
            assert.deepEqual(
                manifests.map(({ kind }) => kind).filter((kind) => /Deployment|DaemonSet|Budget/.test(kind)),
                ["Deployment", "PodDisruptionBudget", "DaemonSet"],
            );
        });

        it("takes snapshots only if told to", () => {
            assert.doesNotMatch(JSON.stringify(manifests), /snapshot/i);
            const image = JSON.stringify(withSnapshots[driver]).match(/"image":"[^"]*snapshot[^"]*/gi);
            assert.equal(image?.length, 2);
            const {
                driver: of,
                deletionPolicy,
                metadata,
            } = withSnapshots[driver]!.find(({ kind }) => kind === "VolumeSnapshotClass")!;
            assert.deepEqual([of, deletionPolicy], [driver, "Delete"]);
            assert.equal(metadata.annotations?.["snapshot.storage.kubernetes.io/is-default-class"], "true");
        });

        it("holds no secret", () => assert.ok(manifests.every(({ kind }) => kind !== "Secret")));
    });
}
