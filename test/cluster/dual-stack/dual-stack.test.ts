import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { reboot } from "../../../machines";
import { describeLong } from "../../takes-long";
import { eventually, TestCluster } from "../cluster";
import { DualStackWeb, ip6, nodePort } from "./dual-stack-web";

const dual = new TestCluster("dual");
const networks = ["--pod-cidr6", "fd00:10:2::/56", "--service-cidr6", "fd00:10:3::/112"];
const machines = [`${dual.name}-controller-0`, `${dual.name}-default-0`] as const;
const web = new DualStackWeb(dual, () => machines);

describeLong("a dual-stack cluster", function () {
    this.timeout(180_000);
    let forwarding: string;

    before(async function () {
        this.timeout(900_000);
        forwarding = hostForwarding();
        await dual.start("--controllers", "1", "--workers", "1", ...networks, "--yes");
        await web.install();
    });
    after(() => dual.destroy());

    const hostForwarding = () => readFileSync("/proc/sys/net/ipv6/conf/all/forwarding", "utf8").trim();

    it("has pods and nodes with an address of each family", async () => {
        for (const { status } of web.pods) {
            assert.match(status.podIPs.map(({ ip }) => ip).join(), /^10\.2\.\d+\.\d+,fd00:10:2:/);
        }
        for (const machine of machines) {
            assert.match((await web.addresses6(machine)).join(), /^fd74:7264:[0-9a-f:]+$/, machine);
        }
    });

    function reaches(): void {
        web.reaches();

        it("answers at a NodePort of every node over IPv6, from every other machine", async () => {
            for (const [from, to] of [machines, [machines[1], machines[0]]] as const) {
                const url = `http://[${(await web.addresses6(to))[0]}]:${nodePort}/`;
                web.isOfWeb(await eventually(url, () => web.curlOn(from, url), 30));
            }
        });
    }

    describe("with nftables", reaches);

    it("returns an AAAA record, and answers at a name that has nothing else", async () => {
        const [pod] = web.pods;
        const name = "web.default.svc.cluster.local";
        const records = await eventually(name, () => web.inPod(pod, "nslookup", "-type=aaaa", name), 30);
        assert.ok(records.includes((await web.clusterIps("web"))[1]!), records);
        assert.equal((await web.clusterIps("web6")).length, 1);
        web.isOfWeb(await eventually("web6", () => web.fetchIn(pod, "http://web6/"), 30));
    });

    web.isRestricted();

    it("has cluster DNS at an address of each family, and the API's service at an IPv4 address", async () => {
        const dns = await dual.get<{ spec: { clusterIPs: string[] } }>("service", "kube-dns", "-n", "kube-system");
        assert.match(dns.spec.clusterIPs.join(), /^10\.3\.0\.10,fd00:10:3::/);
        assert.deepEqual(await web.clusterIps("kubernetes"), ["10.3.0.1"]);
    });

    it("lets no IPv6 traffic out, and does not change the host's forwarding", async () => {
        for (const machine of machines) {
            const routes = await dual.exec(
                machine,
                "ip -6 route get fd00:10:3::fffe; ip -6 route get 2600::1 2>&1; ip -6 route get fd00:10:2:ff::1 2>&1 || true",
            );
            assert.match(routes, /fd00:10:3::fffe .*dev services/);
            assert.doesNotMatch(routes, / via /, routes);
        }
        assert.equal(hostForwarding(), forwarding);
    });

    it("keeps its addresses after a reboot", async function () {
        this.timeout(400_000);
        await reboot(dual.name, machines[1]);
        await eventually("the node", () => dual.kubectl("wait", "node", "--all", "--for=condition=Ready"), 120);
        await web.findPods();
        const [from, to] = web.pods;
        const url = `http://[${ip6(to)}]:8080/`;
        assert.equal(await eventually(url, () => web.fetchIn(from, url), 120), to.spec.nodeName);
    });

    it("has nothing to change in a second up", async () => {
        const { stdout } = await dual.start("--yes");
        assert.match(stdout, /no changes: the cluster is up to date/);
    });

    describe("with iptables", function () {
        this.timeout(400_000);
        before(async () => {
            await dual.pulumi("config", "set", "tradewind:kubeProxyMode", "iptables");
            await dual.start("--yes");
        });
        reaches();
    });
});
