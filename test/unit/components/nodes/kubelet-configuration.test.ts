import assert from "node:assert/strict";
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

    it("tells pods the address of cluster DNS", () => assert.deepEqual(configuration.clusterDNS, ["10.3.0.10"]));

    it("leaves critical pods a part of the time to shut down", () => {
        const seconds = (field: string) => Number.parseInt(configuration[field]!, 10);
        assert.ok(seconds("shutdownGracePeriodCriticalPods") > 0);
        assert.ok(seconds("shutdownGracePeriodCriticalPods") < seconds("shutdownGracePeriod"));
    });
});
