import assert from "node:assert/strict";
import type { ClusterOptions } from "../../../cluster/options";
import { resolveCluster } from "../../../cluster/resolve";
import { versions } from "../../../versions";

describe("resolveCluster", () => {
    it("fills in every default", () => {
        const cluster = resolveCluster({ name: "demo" });
        assert.equal(cluster.apiName, "api.demo.tradewind.internal");
        assert.deepEqual(cluster.controllers.names, ["demo-controller-0"]);
        assert.equal(cluster.controllers.schedulable, true);
        assert.equal(cluster.network.kubernetesServiceAddress, "10.3.0.1");
        assert.equal(cluster.network.dnsServiceAddress, "10.3.0.10");
        assert.match(
            cluster.images.kubeApiserver,
            new RegExp(`^registry\\.k8s\\.io/kube-apiserver:v${versions.kubernetes}`),
        );
    });

    it("names nodes by cluster, pool and index, and keeps ordinary pods off controllers when there are workers", () => {
        const cluster = resolveCluster({
            name: "demo",
            controllers: { count: 3 },
            workerPools: [{ name: "big", count: 2 }],
        });
        assert.deepEqual(cluster.controllers.names, ["demo-controller-0", "demo-controller-1", "demo-controller-2"]);
        assert.deepEqual(cluster.workerPools[0]!.nodes, ["demo-big-0", "demo-big-1"]);
        assert.equal(cluster.controllers.schedulable, false);
    });

    it("takes zones and labels of kubelets' own domains", () => {
        const labels = { "topology.kubernetes.io/zone": "rack1", "x.node.kubernetes.io/y": "1" };
        assert.deepEqual(resolveCluster({ name: "demo", controllers: { labels } }).controllers.labels, labels);
    });

    it("takes taints of one key with different effects", () => {
        const pools = [{ name: "gpu", taints: ["gpu:NoSchedule", "gpu:NoExecute"] }];
        assert.equal(resolveCluster({ name: "demo", workerPools: pools }).workerPools[0]!.taints.length, 2);
    });

    it("reads taints", () => {
        const pools = [{ name: "gpu", taints: ["gpu=yes:NoSchedule", "slow:PreferNoSchedule"] }];
        assert.deepEqual(resolveCluster({ name: "demo", workerPools: pools }).workerPools[0]!.taints, [
            { key: "gpu", value: "yes", effect: "NoSchedule" },
            { key: "slow", value: "", effect: "PreferNoSchedule" },
        ]);
    });

    const pool = (options: object) => ({ workerPools: [{ name: "a", ...options }] });
    const refused: [string, Partial<ClusterOptions>, RegExp][] = [
        ["a name that is no DNS label", { name: "Demo_1" }, /^name must be a DNS label .* \(got Demo_1\)$/],
        ["an empty name", { name: "" }, /^name must be a DNS label .* \(got ""\)$/],
        ["a domain that is no DNS name", { domain: "a..b" }, /^domain must be a lower-case DNS name \(got a\.\.b\)$/],
        [
            "an unknown version",
            { kubernetesVersion: "1.20.0" },
            /^kubernetesVersion must be a release of [\d., or]+, such as [\d.]+ \(got 1\.20\.0\)$/,
        ],
        [
            "an unknown version of etcd",
            { etcdVersion: "3.5.26" },
            /^etcdVersion must be a release of [\d., or]+, such as [\d.]+ \(got 3\.5\.26\)$/,
        ],
        [
            "an even number of controllers",
            { controllers: { count: 2 } },
            /^controllers\.count must be 1, 3 or 5, or 2 with controllers\.arbiter \(got 2\)$/,
        ],
        [
            "too many controllers",
            { controllers: { count: 7 } },
            /^controllers\.count must be 1, 3 or 5, or 2 with controllers\.arbiter \(got 7\)$/,
        ],
        [
            "two pools of one name",
            { workerPools: [{ name: "a" }, { name: "a" }] },
            /^workerPools\[1\]\.name must be unique .* \(got a\)$/,
        ],
        [
            "a pool named controller",
            { workerPools: [{ name: "controller" }] },
            /^workerPools\[0\]\.name must be unique and neither controller nor arbiter \(got controller\)$/,
        ],
        [
            "a pool name that is no DNS label",
            { workerPools: [{ name: "a.b" }] },
            /^workerPools\[0\]\.name must be a DNS label/,
        ],
        [
            "half a worker",
            pool({ count: 1.5 }),
            /^workerPools\[0\]\.count must be a whole number from 0 to 1000 \(got 1\.5\)$/,
        ],
        [
            "a label no kubelet may set",
            pool({ labels: { "node-role.kubernetes.io/x": "" } }),
            /^a key of workerPools\[0\]\.labels must be one that a kubelet may set/,
        ],
        [
            "a label with a prefix that is no DNS name",
            pool({ labels: { "..x/y": "" } }),
            /^a key of workerPools\[0\]\.labels must be a Kubernetes label key \(got \.\.x\/y\)$/,
        ],
        [
            "a label with a prefix that begins with a dash",
            pool({ labels: { "-a/b": "" } }),
            /^a key of workerPools\[0\]\.labels must be a Kubernetes label key \(got -a\/b\)$/,
        ],
        [
            "a label with a prefix that is too long",
            pool({ labels: { [`${"a.".repeat(127)}a/b`]: "" } }),
            /^a key of workerPools\[0\]\.labels must be a Kubernetes label key/,
        ],
        [
            "a zone that the cloud controller sets",
            { cloudProvider: "aws", ...pool({ labels: { "topology.kubernetes.io/zone": "rack1" } }) },
            /^a key of workerPools\[0\]\.labels must not be a label of zone or region/,
        ],
        [
            "two taints of one key and effect",
            pool({ taints: ["app=a:NoSchedule", "app=b:NoSchedule"] }),
            /^workerPools\[0\]\.taints must be taints that differ in key or effect \(got app:NoSchedule\)$/,
        ],
        [
            "a malformed taint",
            pool({ taints: ["x=y"] }),
            /^workerPools\[0\]\.taints\[0\] must be key=value:Effect .* \(got x=y\)$/,
        ],
        [
            "no node that may be drained",
            pool({ maxUnavailable: 0 }),
            /^workerPools\[0\]\.maxUnavailable must be a whole number, 1 or more \(got 0\)$/,
        ],
        ...[0, 101, 1.5].map((maxUnavailablePercentage): [string, object, RegExp] => [
            `${maxUnavailablePercentage} % of nodes that may be drained`,
            pool({ maxUnavailablePercentage }),
            /^workerPools\[0\]\.maxUnavailablePercentage must be a whole number from 1 to 100 \(got [\d.]+\)$/,
        ]),
        [
            "both a number and a percentage of nodes that may be drained",
            pool({ maxUnavailable: 1, maxUnavailablePercentage: 10 }),
            /^workerPools\[0\]\.maxUnavailable and workerPools\[0\]\.maxUnavailablePercentage are mutually exclusive$/,
        ],
        [
            "a drain that is over at once",
            pool({ drainTimeout: "29s" }),
            /^workerPools\[0\]\.drainTimeout must be a duration from 30s to 2h \(got 29s\)$/,
        ],
        [
            "a broken snippet",
            pool({ snippets: ["{"] }),
            /^workerPools\[0\]\.snippets\[0\] must be valid Ignition JSON: /,
        ],
        [
            "a snippet that Ignition refuses",
            pool({ snippets: ['{"ignition":{"version":"3.5.0"},"storage":{"files":[{"path":"etc/x"}]}}'] }),
            /^workerPools\[0\]\.snippets\[0\] must be valid Ignition JSON: .*storage\.files/,
        ],
        [
            "host bits in a block",
            { network: { podCidr: "10.2.0.1/16" } },
            /^network\.podCidr must have no host bits set/,
        ],
        [
            "a pod block too small for the nodes",
            { network: { podCidr: "10.2.0.0/23" } },
            /^network\.podCidr must be \/22 or larger for 1 nodes of a \/24 each \(got 10\.2\.0\.0\/23\)$/,
        ],
        [
            "a service block too large",
            { network: { serviceCidr: "10.0.0.0/8", podCidr: "192.168.0.0/16" } },
            /^network\.serviceCidr must be between \/12 and \/24 \(got 10\.0\.0\.0\/8\)$/,
        ],
        [
            "overlapping blocks",
            { network: { serviceCidr: "10.2.4.0/24" } },
            /^network\.serviceCidr must not overlap network\.podCidr 10\.2\.0\.0\/16 \(got 10\.2\.4\.0\/24\)$/,
        ],
        [
            "an unknown proxy mode",
            { network: { kubeProxyMode: "ipvs" } },
            /^network\.kubeProxyMode must be one of nftables, iptables, none \(got ipvs\)$/,
        ],
        [
            "a flag with dashes",
            { components: { kubeApiserver: { "--v": "2" } } },
            /^a key of components\.kubeApiserver must be a flag name without leading dashes \(got --v\)$/,
        ],
    ];
    for (const [what, options, message] of refused) {
        it(`refuses ${what}`, () => {
            assert.throws(() => resolveCluster({ name: "demo", ...options }), { message });
        });
    }
});
