import assert from "node:assert/strict";
import { coredns } from "../../../../../cluster/manifests/addons/coredns";
import type { ClusterOptions } from "../../../../../cluster/options";
import { dualStack, fixedCluster } from "../../../components/in-cluster/fixture";
import { golden } from "../../../golden";

describe("CoreDNS", () => {
    const replicas = (options: Partial<ClusterOptions>) => {
        const deployment = coredns(fixedCluster(options)).find(({ kind }) => kind === "Deployment")!;
        return (deployment.spec as { replicas: number }).replicas;
    };

    it("is as reviewed", () => golden(__dirname, "coredns", coredns(fixedCluster())));

    it("runs twice where there are two nodes", () => {
        assert.equal(replicas({}), 1);
        assert.equal(replicas({ workerPools: [{ name: "a" }] }), 2);
        assert.equal(replicas({ controllers: { count: 5 } }), 2);
    });

    it("serves the cluster's domain at the address that kubelets set for pods", () => {
        const network = { clusterDomain: "prod.example", serviceCidr: "10.9.0.0/16" };
        const text = JSON.stringify(coredns(fixedCluster({ network })));
        assert.match(text, /kubernetes prod\.example in-addr\.arpa/);
        assert.match(text, /"clusterIP":"10\.9\.0\.10"/);
    });

    it("answers by IPv6 too, where services have addresses of it", () => {
        const policy = (network: object) =>
            JSON.stringify(coredns(fixedCluster({ network }))).match(/"ipFamilyPolicy":"\w+"/);
        assert.equal(policy({}), null);
        assert.equal(policy(dualStack)![0], '"ipFamilyPolicy":"PreferDualStack"');
    });
});
