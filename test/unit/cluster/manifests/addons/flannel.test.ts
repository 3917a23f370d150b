import assert from "node:assert/strict";
import { flannel } from "../../../../../cluster/manifests/addons/flannel";
import { dualStack, fixedCluster, podSpecOf } from "../../../components/in-cluster/fixture";
import { golden } from "../../../golden";

describe("flannel", () => {
    it("is as reviewed", () => golden(__dirname, "flannel", flannel(fixedCluster())));

    it("is as reviewed with IPv6", () =>
        golden(__dirname, "flannel-dual-stack", flannel(fixedCluster({ network: dualStack }))));

    it("programs the kernel in the way that kube-proxy does", () => {
        for (const [kubeProxyMode, expected] of [
            ["nftables", true],
            ["iptables", false],
        ] as const) {
            const config = flannel(fixedCluster({ network: { kubeProxyMode } })).find(
                ({ kind }) => kind === "ConfigMap",
            )!;
            const net = JSON.parse((config.data as Record<string, string>)["net-conf.json"]!);
            assert.equal(net.EnableNFTables, expected, kubeProxyMode);
        }
    });

    it("reaches the API by its name, because Services start later", () => {
        const daemonSet = JSON.stringify(flannel(fixedCluster()).find(({ kind }) => kind === "DaemonSet"));
        assert.match(daemonSet, /"KUBERNETES_SERVICE_HOST","value":"api\.c\.tradewind\.internal"/);
    });

    it("rolls its pods when its config changes", () => {
        const volumes = (podCidr: string) => {
            const daemonSet = flannel(fixedCluster({ network: { podCidr } })).find(({ kind }) => kind === "DaemonSet");
            return podSpecOf(daemonSet!)!.volumes;
        };
        assert.notDeepEqual(volumes("10.2.0.0/16"), volumes("10.4.0.0/16"));
    });
});
