import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { adoptPods, leaveFlannelScript, leaveRouterScript } from "../../../../../cluster/manifests/addons/handover";
import { assertShell } from "../../../components/in-cluster/shell";

describe("the handover between flannel and kube-router on a node", () => {
    let folder: string;
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-handover-"));
        for (const each of [
            "etc/cni/net.d",
            "run/flannel",
            "var/lib/cni/networks/cbr0",
            "sys/class/net/tun-1/statistics",
            "bin",
        ])
            mkdirSync(join(folder, each), { recursive: true });
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    const inFolder = (script: string) =>
        script
            .replaceAll(/\/(etc\/cni|run\/flannel|var\/lib\/cni|sys\/class\/net)/g, `${folder}/$1`)
            .replace(/ip=\/sbin\/ip\n.*/, `ip=${folder}/bin/ip`)
            // What it does later, at once.
            .replace(/ &\n$/, "\n");
    const write = (path: string, text = "") => writeFileSync(join(folder, path), text, { mode: 0o755 });

    /** Runs a script on a node with these routes of the link that leaves. @returns what it changed */
    function run(script: string, { routes = "", args = [] as string[] } = {}): string[] {
        write("changes");
        write("routes", routes);
        const log = `echo "\${0##*/} $*" >>${folder}/changes`;
        write(
            "bin/ip",
            `#!/bin/sh
case "$*" in
*"route show"*) cat ${folder}/routes ;;
*"neigh show 10.2.1.0"*) echo 10.2.1.0 lladdr 02:f1:0a:00:00:01 PERMANENT ;;
*"link show flannel.1") echo " link/ether 02:f1:0a:00:00:02 vxlan id 1 local 10.0.0.2 dev eth0 " ;;
*"addr show dev flannel.1"*) echo "7: flannel.1 inet 10.2.0.0/32 scope global" ;;
*"addr show to"*) echo "2: eth0 inet 10.0.0.2/24" ;;
*"route replace"*) ${log}; : >${folder}/routes ;;
*) ${log} ;;
esac\n`,
        );
        for (const name of ["nft", "iptables-nft-restore"])
            write(`bin/${name}`, `#!/bin/sh\ncat >>${folder}/${name}\n`);
        write(
            "bin/iptables-nft-save",
            `#!/bin/sh
[ $2 = nat ] && echo '-A POSTROUTING -m set --match-set kube-router-pod-subnets src -j MASQUERADE'
[ $2 = filter ] && echo '-A FORWARD -i kube-bridge -m comment --comment "allow outbound traffic from pods" -j ACCEPT'
echo '-A POSTROUTING -j OTHER'\n`,
        );
        write("bin/sleep", "#!/bin/sh\n");
        execFileSync("sh", ["-c", inFolder(script), "sh", ...args], {
            env: { PATH: `${folder}/bin:/usr/bin:/bin`, NODE_IP: "10.0.0.2" },
            stdio: ["ignore", "ignore", "inherit"],
        });
        return readFileSync(join(folder, "changes"), "utf8").split("\n").filter(Boolean);
    }
    const configs = () => readdirSync(join(folder, "etc/cni/net.d")).sort();
    const [ofFlannel, ofRouter] = ["etc/cni/net.d/10-flannel.conflist", "etc/cni/net.d/10-kuberouter.conflist"];

    it("is by shell that is correct", () => {
        for (const script of [leaveRouterScript, leaveFlannelScript, `#!/bin/sh\n${adoptPods}\n`]) assertShell(script);
    });

    it("does nothing where kube-router is not the pod network", () => {
        write(ofFlannel);
        assert.deepEqual(run(leaveRouterScript), []);
        assert.deepEqual(run(leaveFlannelScript), []);
        assert.deepEqual(configs(), ["10-flannel.conflist"]);
    });

    it("removes flannel once kube-router has all routes, but keeps its address for open connections", () => {
        write(ofFlannel);
        write(ofRouter);
        write("run/flannel/subnet.env");
        assert.deepEqual(run(leaveFlannelScript), ["ip addr replace 10.2.0.0/32 dev lo", "ip link delete flannel.1"]);
        assert.deepEqual(configs(), ["10-kuberouter.conflist"]);
        assert.deepEqual(readdirSync(join(folder, "run/flannel")), []);
    });

    it("keeps flannel's link while a route needs it", () => {
        write(ofRouter);
        write("run/flannel/subnet.env");
        const routes = "10.2.1.0/24 via 10.2.1.0 dev flannel.1 onlink\n";
        assert.deepEqual(run(leaveFlannelScript, { routes }), []);
    });

    it("keeps kube-router's routes and rules until flannel runs", () => {
        write(ofRouter);
        const routes = "10.2.1.0/24 dev tun-1 proto 17 src 10.0.0.2\n";
        for (const args of [[], ["wait"]])
            assert.deepEqual(run(leaveRouterScript, { routes, args }), ["ip link set flannel.1 up"]);
        assert.deepEqual(configs(), ["10-kuberouter.conflist"]);
    });

    it("replaces each of kube-router's routes, and then removes its configuration and its rules, and no others", () => {
        write(ofFlannel);
        write(ofRouter);
        write("run/flannel/subnet.env");
        write("sys/class/net/tun-1/statistics/rx_packets", "7\n");
        const routes = "10.2.1.0/24 dev tun-1 proto 17 src 10.0.0.2\n";
        assert.deepEqual(run(leaveRouterScript, { routes }), [
            "ip link set flannel.1 up",
            "ip route replace 10.2.1.0/24 via 10.2.1.0 dev flannel.1 onlink",
            "ip link delete kube-bridge",
            "ip link delete tun-1",
        ]);
        assert.deepEqual(configs(), ["10-flannel.conflist"]);
        assert.equal(
            readFileSync(join(folder, "iptables-nft-restore"), "utf8"),
            `*nat
-D POSTROUTING -m set --match-set kube-router-pod-subnets src -j MASQUERADE
COMMIT
*filter
-D FORWARD -i kube-bridge -m comment --comment "allow outbound traffic from pods" -j ACCEPT
COMMIT
`,
        );
        assert.match(readFileSync(join(folder, "nft"), "utf8"), /table inet tradewind-overlay/);
    });

    it("lets flannel's plugin remove pods that kube-router's configuration added, and keeps what it has of others", () => {
        write(ofRouter, '{"plugins":[{"type":"bridge","ipam":{"ranges":[[{"subnet":"10.2.0.0/24"}]]}}]}');
        const [router, flannel] = ["a1".repeat(32), "b2".repeat(32)];
        write("var/lib/cni/networks/cbr0/10.2.0.2", `${router}\r\neth0`);
        write("var/lib/cni/networks/cbr0/10.2.0.3", `${flannel}\r\neth0`);
        write("var/lib/cni/networks/cbr0/last_reserved_ip.0", "10.2.0.3");
        mkdirSync(join(folder, "var/lib/cni/flannel"));
        write(`var/lib/cni/flannel/${flannel}`, "{}");
        run(adoptPods);
        assert.deepEqual(readdirSync(join(folder, "var/lib/cni/flannel")).sort(), [router, flannel]);
        assert.deepEqual(JSON.parse(readFileSync(join(folder, "var/lib/cni/flannel", router), "utf8")), {
            cniVersion: "0.3.1",
            name: "cbr0",
            type: "bridge",
            ipam: { type: "host-local", ranges: [[{ subnet: "10.2.0.0/24" }]] },
        });
        assert.equal(readFileSync(join(folder, "var/lib/cni/flannel", flannel), "utf8"), "{}");
    });
});
