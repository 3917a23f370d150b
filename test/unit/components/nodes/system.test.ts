import assert from "node:assert/strict";
import { system } from "../../../../components/nodes/system";
import { diffable } from "../../../../ignition";
import { downloads, dualStack, fixedCluster } from "../fixture";
import { assertShell } from "../shell";

describe("a node before its kubelet", () => {
    const network = { podCidr: "10.4.0.0/16", serviceCidr: "10.5.0.0/16" };
    const machine = { name: "c-a-0", address: "10.0.0.21" };
    const texts = diffable(system(fixedCluster({ network }), machine, downloads.cniPlugins));

    it("keeps packets for service and pod addresses inside until something claims them", () => {
        const script = texts["/opt/tradewind/bin/node-routes"]!;
        assert.match(script, /^ip route replace 10\.5\.0\.0\/16 dev services$/m);
        assert.match(script, /^ip route replace unreachable 10\.4\.0\.0\/16 metric 4096$/m);
    });

    it("keeps those by IPv6 inside too, and forwards them", () => {
        const dual = system(fixedCluster({ network: { ...network, ...dualStack } }), machine, downloads.cniPlugins);
        const script = diffable(dual)["/opt/tradewind/bin/node-routes"]!;
        assert.match(script, /^ip -6 route replace fd00:10:3::\/112 dev services$/m);
        assert.match(script, /^ip -6 route replace unreachable fd00:10:2::\/56 metric 4096$/m);
        assert.match(diffable(dual)["/etc/sysctl.d/90-tradewind.conf"]!, /^net\.ipv6\.conf\.all\.forwarding = 1$/m);
        assertShell(script.replace(/^mode.*\n/, ""));
        assert.doesNotMatch(JSON.stringify(texts), /ipv6|ip -6/);
    });

    it("keeps pods from what the cloud tells of the machine", () => {
        const script = texts["/opt/tradewind/bin/node-routes"]!;
        assert.match(script, /^ip rule add from 10\.4\.0\.0\/16 to 169\.254\.169\.254 prohibit priority 100$/m);
    });

    it("has the host name that its cloud gives, unless it is told one", () => {
        assert.match(texts["/etc/hostname"]!, /c-a-0/);
        const unnamed = system(fixedCluster(), { address: "10.0.0.0/16" }, downloads.cniPlugins);
        assert.equal(diffable(unnamed)["/etc/hostname"], undefined);
    });

    it("has both scripts run before the kubelet", () => {
        for (const unit of ["node-routes.service", "cni-plugins.service"]) {
            assert.match(texts[unit]!, /^RequiredBy=kubelet\.service$/m);
        }
    });

    it("hands connections of a closing listener to the next one", () => {
        assert.match(texts["/etc/sysctl.d/90-tradewind.conf"]!, /^net\.ipv4\.tcp_migrate_req = 1$/m);
    });

    it("takes the CNI plugins by their hash", () => {
        assert.match(texts["/opt/tradewind/bin/install-cni-plugins"]!, new RegExp(downloads.cniPlugins.sha256));
    });
});
