import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { flannel } from "../../../../../cluster/manifests/addons/flannel";
import { prepareOverlay } from "../../../../../cluster/manifests/addons/flannel-overlay";
import { dualStack, fixedCluster, podSpecOf } from "../../../components/in-cluster/fixture";
import { golden, goldenChange } from "../../../golden";

describe("flannel", () => {
    it("is as reviewed", () => golden(__dirname, "flannel", flannel(fixedCluster())));

    it("differs as reviewed with IPv6", () => {
        const dual = flannel(fixedCluster({ network: dualStack }));
        goldenChange(__dirname, "flannel-dual-stack", flannel(fixedCluster()), dual);
    });

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

    it("runs its overlay by the card of the node's address, in the machines' network, whichever card has the default route", function () {
        this.timeout(60_000);
        const script = (prepareOverlay(fixedCluster()).command as string[]).at(-1)!;
        // A bridge has addresses like a card, and every kernel has it.
        const card = (name: string, address: string) =>
            `ip link add ${name} type bridge; ip link set ${name} up; ip address add ${address} dev ${name}\n`;
        const cards = `${card("eth0", "203.0.113.9/20")}ip route add default via 203.0.113.1\n${card("eth1", "10.0.0.21/24")}`;
        const scene = `${cards}nft() { :; }\n${script}\nip -d link show flannel.1`;
        const env = { ...process.env, NODE_IP: "10.0.0.21" };
        const shown = execFileSync("unshare", ["--map-root-user", "--net", "sh", "-c", scene], {
            env,
            encoding: "utf8",
        });
        assert.match(shown, / vxlan id 1 local 10\.0\.0\.21 dev eth1 /);
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
