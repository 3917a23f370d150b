import assert from "node:assert/strict";
import { apiserverNames, etcdNames } from "../../../../cluster/keys/certificates";
import { fixedCluster } from "../../components/in-cluster/fixture";

describe("the names in a certificate", () => {
    const cluster = fixedCluster({ network: { serviceCidr: "10.9.0.0/16", clusterDomain: "prod.example" } });

    it("of an apiserver are all by which people, pods and nodes reach it", () => {
        assert.deepEqual(apiserverNames(cluster, ["192.0.2.11", "192.0.2.3"]), {
            dnsNames: [
                "api.c.tradewind.internal",
                "kubernetes",
                "kubernetes.default",
                "kubernetes.default.svc",
                "kubernetes.default.svc.prod.example",
                "localhost",
            ],
            ipAddresses: ["10.9.0.1", "127.0.0.1", "192.0.2.11", "192.0.2.3"],
        });
    });

    it("of an etcd member are only its own", () => {
        assert.deepEqual(etcdNames(cluster, "c-controller-0", "192.0.2.11"), {
            dnsNames: ["c-controller-0", "c-controller-0.c.tradewind.internal", "localhost"],
            ipAddresses: ["192.0.2.11", "127.0.0.1"],
        });
    });
});
