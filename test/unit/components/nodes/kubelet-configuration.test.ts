import assert from "node:assert/strict";
import { componentPod } from "../../../../components/control-plane/pod";
import { firstStart } from "../../../../components/nodes/bootstrap-assets";
import { etcdStaticPod } from "../../../../components/nodes/etcd";
import { kubeletConfiguration } from "../../../../components/nodes/kubelet-configuration";
import { fixedCluster } from "../fixture";

describe("the kubelet's configuration", () => {
    const configuration = kubeletConfiguration(fixedCluster(), []) as Record<string, never>;

    it("lets nobody in whom the API does not know and allow", () => {
        assert.deepEqual(configuration.authentication, {
            anonymous: { enabled: false },
            webhook: { enabled: true },
            x509: { clientCAFile: "/etc/kubernetes/pki/ca.crt" },
        });
        assert.deepEqual(configuration.authorization, { mode: "Webhook" });
        assert.equal(configuration.readOnlyPort, 0);
    });

    it("renews its certificate by itself", () => assert.equal(configuration.rotateCertificates, true));

    it("asks the cluster for a server's certificate where that is wanted", () => {
        assert.equal("serverTLSBootstrap" in configuration, false);
        for (const kubeletServing of ["issued", "verified"]) {
            const cluster = fixedCluster({ certificates: { kubeletServing } });
            assert.equal((kubeletConfiguration(cluster, []) as Record<string, unknown>).serverTLSBootstrap, true);
        }
    });

    it("tells pods the address of cluster DNS", () => assert.deepEqual(configuration.clusterDNS, ["10.3.0.10"]));

    it("ends what stands on a pod before the pod: workloads, then control planes, then etcd", () => {
        const phases: { priority: number; shutdownGracePeriodSeconds: number }[] =
            configuration.shutdownGracePeriodByPodPriority!;
        const control = priorityOf(componentPod("x", { kind: "temporary" }, () => ({ containers: [] })).spec);
        const etcd = priorityOf(etcdStaticPod(fixedCluster(), firstStart({ name: "a", address: "10.0.0.1" })).spec);
        assert.deepEqual(
            phases.map(({ priority }) => priority),
            [0, control, etcd],
        );
        assert.ok(control < etcd);
        assert.ok(phases.every(({ shutdownGracePeriodSeconds: seconds }) => seconds >= 5));
    });
});

function priorityOf(spec: unknown): number {
    return (spec as { priority: number }).priority;
}
