import assert from "node:assert/strict";
import { kubeletConfiguration } from "../../../cluster/kubelet-settings";
import { fixedCluster } from "../components/in-cluster/fixture";

describe("the kubelet's configuration", () => {
    const configuration = kubeletConfiguration(fixedCluster(), "controller") as Record<string, never>;

    it("allows only clients that the API authenticates and authorizes", () => {
        assert.deepEqual(configuration.authentication, {
            anonymous: { enabled: false },
            webhook: { enabled: true },
            x509: { clientCAFile: "/etc/kubernetes/pki/ca.crt" },
        });
        assert.deepEqual(configuration.authorization, { mode: "Webhook" });
        assert.equal(configuration.readOnlyPort, 0);
    });

    it("renews its certificate by itself", () => assert.equal(configuration.rotateCertificates, true));

    it("requests a serving certificate from the cluster if configured", () => {
        assert.equal("serverTLSBootstrap" in configuration, false);
        for (const kubeletServing of ["issued", "verified"]) {
            const cluster = fixedCluster({ certificates: { kubeletServing } });
            assert.equal(
                (kubeletConfiguration(cluster, "controller") as Record<string, unknown>).serverTLSBootstrap,
                true,
            );
        }
    });

    it("sets the address of cluster DNS for pods", () => assert.deepEqual(configuration.clusterDNS, ["10.3.0.10"]));
});
