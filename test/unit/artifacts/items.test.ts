import assert from "node:assert/strict";
import { itemsFor, selectItems, testItems, usedItems } from "../../../artifacts/items";
import { neededItems } from "../../../artifacts/needed";
import { assertGoVersion, prerequisites } from "../../../artifacts/prerequisites";
import { installedPackages } from "../../../artifacts/rootfs";
import { minorOf, minorsAfter } from "../../../cluster/upgrades/version";
import { type KubernetesVersion, VERSIONS_OF_EVERY_RUN, versions } from "../../../versions";

describe("the items of the cache", () => {
    it("are those of one Kubernetes version if one is requested", () => {
        const ids = itemsFor(["1.36.3"]).map(({ id }) => id);
        assert(ids.includes("kubelet 1.36.3"));
        assert.deepEqual(
            ids.filter((id) => id.includes("1.35")),
            ["docker.io/library/busybox:1.35.0"],
        );
    });

    it("include the programs and the image of etcd for a second version of it", () => {
        const ids = itemsFor(["1.36.3"], ["3.6.16", "3.6.8"]).map(({ id }) => id);
        const one = itemsFor(["1.36.3"], ["3.6.8"]).map(({ id }) => id);
        assert.deepEqual(
            ids.filter((id) => !one.includes(id)),
            ["etcd 3.6.16", "quay.io/coreos/etcd:v3.6.16"],
        );
        assert.deepEqual(
            one.filter((id) => id.includes("etcd")),
            ["etcd 3.6.8", "quay.io/coreos/etcd:v3.6.8"],
        );
    });

    it("include seven programs and five images for a second version", () => {
        assert.equal(itemsFor(["1.36.3", "1.35.4"]).length - itemsFor(["1.36.3"]).length, 12);
    });

    it("include another patch only on request, and every run of the tests has two minor versions", () => {
        const of = (version: string) => itemsFor([version as KubernetesVersion]).map(({ id }) => id);
        assert.ok(of("1.36.2").includes("registry.k8s.io/kube-apiserver:v1.36.2"));
        assert.ok(!of("1.36.3").some((id) => id.includes("1.36.2")));
        const [current, before, ...others] = VERSIONS_OF_EVERY_RUN.map(minorOf);
        assert.deepEqual(others, []);
        assert.equal(current, minorOf(versions.kubernetes));
        assert.deepEqual(minorsAfter(`${before}.0`), [before, current]);
    });

    it("are fewer for a cluster that does not use all of them", () => {
        const all = itemsFor(["1.36.3"], ["3.6.8"]);
        const notMade = (isOn: boolean) => {
            const uses = { metricsServer: isOn, logs: isOn, prometheus: isOn, kubeletPods: isOn };
            const made = neededItems(usedItems(all, uses), "offline");
            return all.filter((item) => !made.includes(item)).map(({ id }) => id);
        };
        const kubelet = "ghcr.io/siderolabs/kubelet:v1.36.3";
        const image = `registry.k8s.io/metrics-server/metrics-server:v${versions.metricsServer}`;
        assert.deepEqual(notMade(true), ["kubeadm 1.36.3"]);
        assert.deepEqual(notMade(false), [
            `metrics-server ${versions.metricsServer}`,
            `log-collector ${versions.logCollector}`,
            `prometheus ${versions.prometheus}`,
            "kubeadm 1.36.3",
            image,
            `docker.io/otel/opentelemetry-collector-contrib:${versions.logCollector}`,
            `quay.io/prometheus/prometheus:v${versions.prometheus}`,
            kubelet,
        ]);
    });

    it("only need what is made before them", () => {
        const seen = new Set<string>();
        for (const { id, needs = [] } of itemsFor()) {
            assert(!seen.has(id), id);
            assert.deepEqual(
                needs.filter((need) => !seen.has(need)),
                [],
                id,
            );
            seen.add(id);
        }
    });

    it("can be selected by group, with their dependencies", () => {
        const ids = selectItems(itemsFor(["1.36.3"]), ["rootfs"]).map(({ id }) => id);
        assert.deepEqual(ids, [
            ...["debian bookworm", "runc 1.4.3", "containerd 2.4.2", "ignition 2.24.0"],
            "machine root filesystem",
        ]);
    });

    it("include what only tests run on request", () => {
        const everything = [...itemsFor(["1.36.3"]), ...testItems()];
        const { awsCloudController, clusterAutoscaler } = versions;
        const images = [
            `registry.k8s.io/provider-aws/cloud-controller-manager:v${awsCloudController}`,
            `registry.k8s.io/autoscaling/cluster-autoscaler:v${clusterAutoscaler}`,
        ];
        const programs = [`aws-cloud-controller ${awsCloudController}`, `cluster-autoscaler ${clusterAutoscaler}`];
        assert.deepEqual(
            selectItems(everything, ["test-images"]).map(({ id }) => id),
            ["debian bookworm", ...programs, ...images],
        );
        assert.ok(!selectItems(everything, ["images"]).some(({ id }) => images.includes(id)));
    });

    it("cannot be selected by an unknown group", () => {
        assert.throws(
            () => selectItems(itemsFor(["1.36.3"]), ["cri-o"]),
            /^Error: --only must be one of .* \(got cri-o\)$/,
        );
    });
});

describe("prerequisites", () => {
    it("list each program once, with its package", () => {
        const all = prerequisites();
        const commands = all.map(({ command }) => command);
        assert.deepEqual([...new Set(commands)], commands);
        for (const command of ["go", "gcc", "debootstrap", "docker-registry", "/usr/include/blkid/blkid.h"]) {
            assert(commands.includes(command), command);
        }
    });

    it("are Docker and what is everywhere for a cluster, online", () => {
        const commands = prerequisites(itemsFor(), "online").map(({ command }) => command);
        assert.deepEqual(commands, ["flock", "tar", "docker"]);
    });

    it("are few for a part in pure Go", () => {
        const commands = prerequisites(selectItems(itemsFor(), ["etcd"])).map(({ command }) => command);
        assert.deepEqual(commands, ["flock", "tar", "go"]);
    });

    for (const version of ["go1.26.8", "go1.21"]) {
        it(`accept ${version}`, () => assertGoVersion(version));
    }
    it("reject a Go that can neither build nor download one that can", () => {
        assert.throws(() => assertGoVersion("go1.19.8"), /^Error: go must be 1.21 or newer \(got go1.19.8\)/);
    });
});

describe("installedPackages", () => {
    it("reads names and versions from dpkg's record", () => {
        const status = "Package: a\nStatus: x\nVersion: 1.0-1\n\nPackage: b\nVersion: 1:2\nDescription: Version: 3\n";
        assert.deepEqual(installedPackages(status), { a: "1.0-1", b: "1:2" });
    });
});
