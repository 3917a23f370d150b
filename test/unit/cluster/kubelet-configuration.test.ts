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

    it("requests a serving certificate from the cluster unless configured otherwise", () => {
        assert.equal(configuration.serverTLSBootstrap, true);
        for (const kubeletServing of ["own", "issued", "verified"]) {
            const of = kubeletConfiguration(fixedCluster({ certificates: { kubeletServing } }), "controller");
            assert.equal("serverTLSBootstrap" in of, kubeletServing !== "own");
        }
    });

    it("confines pods that ask for nothing, by system calls and by processes", () => {
        assert.equal(configuration.seccompDefault, true);
        assert.equal(configuration.podPidsLimit, 4096);
    });

    it("sets the address of cluster DNS for pods", () => assert.deepEqual(configuration.clusterDNS, ["10.3.0.10"]));
});
