import assert from "node:assert/strict";
import type { Manifest } from "../../../../../cluster/manifest";
import { controlPlane, controlPlaneBase } from "../../../../../cluster/manifests/control-plane";
import { fakeCredentials, fixedCluster } from "../../../components/in-cluster/fixture";

const cluster = fixedCluster();
const secrets = fakeCredentials(cluster);
const find = (manifests: Manifest[], kind: string, name: string) =>
    manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name)!;

describe("the control plane's objects", () => {
    it("that need no secret hold none", () => {
        assert.doesNotMatch(JSON.stringify(controlPlaneBase(cluster, "program")), /BEGIN|"Secret"/);
    });

    it("keep keys only in Secrets", () => {
        const others = controlPlane(cluster, secrets).filter(({ kind }) => kind !== "Secret");
        const key = Buffer.from(secrets.apiserver.key).toString("base64").slice(0, 30);
        assert.doesNotMatch(JSON.stringify(others), /PRIVATE KEY/);
        assert.ok(!JSON.stringify(others).includes(key));
    });

    it("roll a component's pods when its credentials change, and no other's", () => {
        const renewed = controlPlane(cluster, { ...secrets, scheduler: { cert: "new", key: "new" } });
        const before = controlPlane(cluster, secrets);
        const differs = (name: string) =>
            JSON.stringify(find(before, "DaemonSet", name).spec) !==
            JSON.stringify(find(renewed, "DaemonSet", name).spec);
        assert.equal(differs("kube-scheduler"), true);
        assert.equal(differs("kube-apiserver"), false);
        assert.equal(differs("kube-controller-manager"), false);
    });
});
