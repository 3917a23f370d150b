import assert from "node:assert/strict";
import { coredns, corefile } from "../../../../../cluster/manifests/addons/coredns";
import type { ClusterOptions } from "../../../../../cluster/options";
import { dualStack, fixedCluster } from "../../../components/in-cluster/fixture";
import { golden } from "../../../golden";

interface Spec {
    readonly replicas: number;
    readonly template: {
        readonly spec: {
            readonly topologySpreadConstraints: readonly {
                readonly minDomains?: number;
                readonly topologyKey: string;
                readonly whenUnsatisfiable: string;
            }[];
            readonly volumes: readonly { readonly configMap: { readonly name: string } }[];
        };
    };
}

describe("CoreDNS", () => {
    const specOf = (options: Partial<ClusterOptions>) =>
        coredns(fixedCluster(options)).find(({ kind }) => kind === "Deployment")!.spec as Spec;
    const replicas = (options: Partial<ClusterOptions>) => specOf(options).replicas;
    const spread = (options: Partial<ClusterOptions>) => specOf(options).template.spec.topologySpreadConstraints;
    const tainted = [{ name: "a", count: 3, taints: ["for=batch:NoSchedule"] }];

    it("is as reviewed", () => golden(__dirname, "coredns", coredns(fixedCluster())));

    it("runs twice where there are two nodes", () => {
        assert.equal(replicas({}), 1);
        assert.equal(replicas({ workerPools: [{ name: "a" }] }), 2);
        assert.equal(replicas({ controllers: { count: 5 } }), 2);
    });

    it("runs once where all other nodes have taints", () => {
        assert.equal(replicas({ workerPools: tainted }), 1);
        assert.equal(replicas({ workerPools: [{ name: "a", taints: ["for=batch:PreferNoSchedule"] }] }), 2);
    });

    it("is spread over nodes, and waits for a second one only if the stack creates it before", () => {
        const minDomains = (options: Partial<ClusterOptions>) => spread(options)[0]!.minDomains;
        assert.equal(minDomains({}), undefined);
        assert.equal(minDomains({ controllers: { count: 3 } }), 2);
        assert.equal(minDomains({ workerPools: [{ name: "a" }] }), 2);
        assert.equal(minDomains({ workerPools: tainted }), undefined);
        assert.equal(minDomains({ workerPools: [{ name: "a" }], workersJoinLast: true }), undefined);
        assert.equal(minDomains({ workerPools: [{ name: "a" }], workersJoinLast: true, controllers: { count: 3 } }), 2);
    });

    it("may run twice on a node where that is asked for", () => {
        const when = (options: Partial<ClusterOptions>) =>
            spread(options).map(({ topologyKey, whenUnsatisfiable }) => `${topologyKey}: ${whenUnsatisfiable}`);
        assert.deepEqual(when({ network: { dns: { spread: "preferred" } } }), [
            "kubernetes.io/hostname: ScheduleAnyway",
        ]);
        assert.deepEqual(when({}), [
            "kubernetes.io/hostname: DoNotSchedule",
            "topology.kubernetes.io/zone: ScheduleAnyway",
        ]);
    });

    it("has its configuration in a ConfigMap that never changes", () => {
        const configOf = (options: Partial<ClusterOptions>) => {
            const name = specOf(options).template.spec.volumes[0]!.configMap.name;
            const config = coredns(fixedCluster(options)).find(({ metadata }) => metadata.name === name)!;
            return { name, immutable: config.immutable };
        };
        const dns = { upstreams: ["10.0.0.2"] };
        const names = [{}, { network: { dns } }].map((options) => {
            const { name, immutable } = configOf(options);
            assert.match(name, /^coredns-[0-9a-f]{16}$/);
            assert(immutable);
            return name;
        });
        assert.notEqual(names[0], names[1]);
    });

    it("asks upstream servers, and serves additional zones", () => {
        const dns = { upstreams: ["10.0.0.2", "[fd00::2]:5353"], serverBlocks: "corp.example {\n    whoami\n}\n\n" };
        const text = corefile(fixedCluster({ network: { dns } }));
        assert.match(text, /\n {4}forward \. 10\.0\.0\.2 \[fd00::2\]:5353 \{\n/);
        assert.match(text, /\n\}\ncorp\.example \{\n {4}whoami\n\}\n$/);
    });

    it("asks no server with an empty list, and its own zones stay", () => {
        const text = corefile(fixedCluster({ network: { dns: { upstreams: [] } } }));
        assert.doesNotMatch(text, /forward|loop/);
        assert.match(text, /\n {4}prometheus :9153\n {4}cache 30 \{\n/);
        assert.match(text, /\n {4}\}\n {4}reload\n {4}loadbalance\n\}\n$/);
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
