import assert from "node:assert/strict";
import { resolveCluster } from "../../../../cluster/resolve";
import { requireEtcdVersion, requireKubernetesVersion, versionWarnings } from "../../../../cluster/upgrades/supported";
import { ETCD_VERSIONS, KUBERNETES_VERSIONS } from "../../../../versions";

const newest = KUBERNETES_VERSIONS[0];

describe("supported versions", () => {
    it("are every patch release of a tested minor version", () => {
        for (const version of [...KUBERNETES_VERSIONS, "1.34.0", "1.35.0", "1.36.99"]) {
            assert.equal(requireKubernetesVersion("kubernetesVersion", version), version);
        }
        for (const version of [...ETCD_VERSIONS, "3.6.99"]) {
            assert.equal(requireEtcdVersion("etcdVersion", version), version);
        }
    });

    it("are no other minor versions, pre-releases, or texts that are no plain version", () => {
        for (const version of [
            "1.33.6",
            "1.99.0",
            "2.36.3",
            "1.36",
            "v1.36.3",
            "1.36.3-rc.1",
            "1.36.3+a",
            " 1.36.3",
            "",
        ]) {
            assert.throws(() => requireKubernetesVersion("kubernetesVersion", version), {
                message: `kubernetesVersion must be a release of 1.34, 1.35, 1.36 or 1.37, such as ${newest} (got ${version || '""'})`,
            });
        }
        assert.throws(
            () => requireEtcdVersion("etcdVersion", "3.5.26"),
            /^Error: etcdVersion must be a release of 3\.6 or 3\.7, such as 3\.7\.3 \(got 3\.5\.26\)$/,
        );
        assert.throws(() => requireKubernetesVersion("kubernetesVersion", 1.36), /\(got 1\.36\)$/);
    });

    it("make a whole cluster of an untested release, with its official images by tag", () => {
        const { versions, images } = resolveCluster({ name: "c", kubernetesVersion: "1.36.99", etcdVersion: "3.6.99" });
        assert.deepEqual([versions.kubernetes, versions.etcd], ["1.36.99", "3.6.99"]);
        assert.equal(images.kubeApiserver, "registry.k8s.io/kube-apiserver:v1.36.99");
        assert.equal(images.etcd, "quay.io/coreos/etcd:v3.6.99");
        assert.match(images.clusterAutoscaler, /:v1\.36\./);
    });

    it("have a warning if they are untested, which names the tested ones and how their images are pulled", () => {
        const of = (options: object) => versionWarnings(resolveCluster({ name: "c", ...options }));
        assert.deepEqual(of({}), []);
        assert.deepEqual(of({ kubernetesVersion: "1.35.4" }), []);
        assert.deepEqual(of({ kubernetesVersion: "1.36.99", etcdVersion: "3.6.99" }), [
            `kubernetesVersion: 1.36.99 was not tested with this release of Tradewind (tested: ${KUBERNETES_VERSIONS.join(", ")}); its images are pulled by tag, without a known digest`,
            `etcdVersion: 3.6.99 was not tested with this release of Tradewind (tested: ${ETCD_VERSIONS.join(", ")}); its images are pulled by tag, without a known digest`,
        ]);
        const names = { kubeApiserver: "kube-apiserver", kubeControllerManager: "kube-controller-manager" };
        const others = { kubeScheduler: "kube-scheduler", kubeProxy: "kube-proxy" };
        const images = Object.fromEntries(
            Object.entries({ ...names, ...others }).map(([key, name]) => [
                key,
                `registry.k8s.io/${name}:v1.36.99@sha256:${"1".repeat(64)}`,
            ]),
        );
        assert.match(of({ kubernetesVersion: "1.36.99", images })[0]!, /\)$/);
        const { kubeProxy: _, ...some } = images;
        assert.match(of({ kubernetesVersion: "1.36.99", images: some })[0]!, /by tag/);
    });

    it("have a warning if Kubernetes no longer fixes them", () => {
        assert.deepEqual(versionWarnings(resolveCluster({ name: "c", kubernetesVersion: "1.34.4" })), [
            "kubernetesVersion: Kubernetes no longer fixes 1.34; upgrade (got 1.34.4)",
        ]);
    });
});
