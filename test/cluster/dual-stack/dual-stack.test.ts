import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { isIPv6 } from "node:net";
import { reboot } from "../../../machines";
import { describeLong } from "../../takes-long";
import { eventually, TestCluster } from "../cluster";
import { webServers } from "../web-servers";

const dual = new TestCluster("dual");
const networks = ["--pod-cidr6", "fd00:10:2::/56", "--service-cidr6", "fd00:10:3::/112"];
const machines = [`${dual.name}-controller-0`, `${dual.name}-default-0`] as const;
const nodePort = 30080;
const bigFileBytes = 4 << 20;

interface Pod {
    readonly metadata: { readonly name: string };
    readonly spec: { readonly nodeName: string };
    readonly status: { readonly podIPs: readonly { readonly ip: string }[] };
}

interface Node {
    readonly status: { readonly addresses: readonly { readonly type: string; readonly address: string }[] };
}

const serve = `mkdir /tmp/web && echo "$NODE" >/tmp/web/index.html &&
    dd if=/dev/zero of=/tmp/web/big bs=1024 count=${bigFileBytes / 1024} && exec busybox httpd -f -p 8080 -h /tmp/web`;

/** A web server on each node that returns its node's name, a dual-stack service, and one for IPv6 only. */
const web = {
    apiVersion: "v1",
    kind: "List",
    items: [
        webServers(serve, { tolerations: [{ operator: "Exists" }] }),
        service("web", { type: "NodePort", ipFamilyPolicy: "RequireDualStack" }, { nodePort }),
        service("web6", { ipFamilies: ["IPv6"] }),
    ],
};

function service(name: string, spec: object, port: object = {}): object {
    const ports = [{ port: 80, targetPort: 8080, ...port }];
    return {
        apiVersion: "v1",
        kind: "Service",
        metadata: { name },
        spec: { selector: { app: "web" }, ...spec, ports },
    };
}

describeLong("a dual-stack cluster", function () {
    this.timeout(180_000);
    let forwarding: string;
    let pods: readonly [Pod, Pod];

    before(async function () {
        this.timeout(900_000);
        forwarding = hostForwarding();
        await dual.start("--controllers", "1", "--workers", "1", ...networks, "--yes");
        await dual.apply(web);
        await findPods();
    });
    after(() => dual.destroy());

    async function findPods(): Promise<void> {
        await dual.kubectl("rollout", "status", "daemonset/web", "--timeout=120s");
        const { items } = await dual.get<{ items: Pod[] }>("pods", "-l", "app=web");
        assert.equal(items.length, 2);
        pods = items as unknown as [Pod, Pod];
    }

    const hostForwarding = () => readFileSync("/proc/sys/net/ipv6/conf/all/forwarding", "utf8").trim();
    // Not with wget's own -T: it makes Debian's static busybox crash.
    const wget = ["timeout", "10", "busybox", "wget", "-q", "-O", "-"];
    const inPod = (pod: Pod, ...command: string[]) =>
        dual.kubectl("exec", pod.metadata.name, "--", "busybox", ...command);
    const fetchIn = async (pod: Pod, url: string) => (await inPod(pod, ...wget, url)).trim();
    const curlOn = async (machine: string, url: string) =>
        (await dual.exec(machine, `curl -sSf --max-time 5 '${url}'`)).trim();
    const addresses6 = async (machine: string) =>
        (await dual.get<Node & { metadata: object }>("node", machine)).status.addresses
            .filter(({ type, address }) => type === "InternalIP" && isIPv6(address))
            .map(({ address }) => address);
    const clusterIps = async (name: string) =>
        (await dual.get<{ spec: { clusterIPs: string[] } }>("service", name)).spec.clusterIPs;
    const isOfWeb = (answer: string) =>
        assert(
            pods.some(({ spec }) => spec.nodeName === answer),
            answer,
        );
    const ip6 = ({ status }: Pod) => status.podIPs[1]!.ip;

    it("has pods and nodes with an address of each family", async () => {
        for (const { status } of pods) {
            assert.match(status.podIPs.map(({ ip }) => ip).join(), /^10\.2\.\d+\.\d+,fd00:10:2:/);
        }
        for (const machine of machines) {
            assert.match((await addresses6(machine)).join(), /^fd74:7264:[0-9a-f:]+$/, machine);
        }
    });

    function reaches(): void {
        it("delivers an IPv6 packet from a pod to a pod on another node, both ways", async () => {
            for (const [from, to] of [pods, [pods[1], pods[0]]] as const) {
                const url = `http://[${ip6(to)}]:8080/`;
                const answer = await eventually(url, () => fetchIn(from, url), 60);
                assert.equal(answer, to.spec.nodeName);
            }
        });

        it("delivers payloads larger than a packet completely", async () => {
            const [from, to] = pods;
            const fetch = `busybox ${wget.join(" ")} 'http://[${ip6(to)}]:8080/big' | wc -c`;
            assert.equal((await inPod(from, "sh", "-c", fetch)).trim(), String(bigFileBytes));
        });

        it("answers at a service's IPv6 address, in pods and on machines", async () => {
            const [, address] = await clusterIps("web");
            assert.match(address!, /^fd00:10:3::/);
            const url = `http://[${address}]/`;
            for (const pod of pods) isOfWeb(await eventually(url, () => fetchIn(pod, url), 30));
            for (const machine of machines) isOfWeb(await eventually(url, () => curlOn(machine, url), 30));
        });

        it("answers at a NodePort of every node over IPv6, from every other machine", async () => {
            for (const [from, to] of [machines, [machines[1], machines[0]]] as const) {
                const url = `http://[${(await addresses6(to))[0]}]:${nodePort}/`;
                isOfWeb(await eventually(url, () => curlOn(from, url), 30));
            }
        });
    }

    describe("with nftables", reaches);

    it("returns an AAAA record, and answers at a name that has nothing else", async () => {
        const [pod] = pods;
        const name = "web.default.svc.cluster.local";
        const records = await eventually(name, () => inPod(pod, "nslookup", "-type=aaaa", name), 30);
        assert.ok(records.includes((await clusterIps("web"))[1]!), records);
        assert.equal((await clusterIps("web6")).length, 1);
        isOfWeb(await eventually("web6", () => fetchIn(pod, "http://web6/"), 30));
    });

    it("restricts pods by NetworkPolicies, by their addresses of each family", async () => {
        const restrict = (...from: object[]) =>
            dual.apply({
                apiVersion: "networking.k8s.io/v1",
                kind: "NetworkPolicy",
                metadata: { name: "web", namespace: "default" },
                spec: { podSelector: {}, policyTypes: ["Ingress"], ingress: from.map((peer) => ({ from: [peer] })) },
            });
        const block = (index: 0 | 1) => {
            const { ip } = pods[0].status.podIPs[index]!;
            return { ipBlock: { cidr: `${ip}/${isIPv6(ip) ? 128 : 32}` } };
        };
        /** Waits until the first pod reaches the second one, or not, at its IPv4 and its IPv6 address. */
        const reaches = (...expected: [boolean, boolean]) =>
            eventually(
                `the web server to respond: ${expected}`,
                async () => {
                    const [from, to] = pods;
                    const urls = [to.status.podIPs[0]!.ip, `[${ip6(to)}]`].map((host) => `http://${host}:8080/`);
                    const asked = urls.map((url) =>
                        fetchIn(from, url).then(
                            () => true,
                            () => false,
                        ),
                    );
                    assert.deepEqual(await Promise.all(asked), expected);
                },
                60,
            );
        const web = { podSelector: { matchLabels: { app: "web" } } };

        await restrict();
        await reaches(false, false);
        await restrict(web);
        await reaches(true, true);
        await restrict(block(1));
        await reaches(false, true);
        await restrict(block(0));
        await reaches(true, false);
        await restrict(web);
        await reaches(true, true);
        // New pods have other addresses.
        await dual.kubectl("delete", "pods", "-l", "app=web");
        await findPods();
        await reaches(true, true);
        await dual.kubectl("delete", "networkpolicy", "web");
    });

    it("has cluster DNS at an address of each family, and the API's service at an IPv4 address", async () => {
        const dns = await dual.get<{ spec: { clusterIPs: string[] } }>("service", "kube-dns", "-n", "kube-system");
        assert.match(dns.spec.clusterIPs.join(), /^10\.3\.0\.10,fd00:10:3::/);
        assert.deepEqual(await clusterIps("kubernetes"), ["10.3.0.1"]);
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
        await findPods();
        const [from, to] = pods;
        const url = `http://[${ip6(to)}]:8080/`;
        assert.equal(await eventually(url, () => fetchIn(from, url), 120), to.spec.nodeName);
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
