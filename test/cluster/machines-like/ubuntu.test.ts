import assert from "node:assert/strict";
import { images } from "../../../artifacts";
import { shutdownDelay } from "../../../cluster/machines/kubelet/unit";
import { resolvConf, resolvConfScript } from "../../../cluster/machines/resolv-conf";
import { system } from "../../../cluster/machines/system";
import { paths } from "../../../cluster/paths";
import { merge, render, toCloudInit } from "../../../ignition";
import * as machines from "../../../machines";
import { downloads, fixedCluster } from "../../unit/components/in-cluster/fixture";
import { eventually, finished, TestCluster } from "../cluster";
import { ask, makeAsker } from "../pod-asks";

const metadata = "169.254.169.254";
const url = `http://${metadata}/`;
const longestDelay =
    "busctl get-property org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager InhibitDelayMaxUSec";
/**
 * Restarts networkd, as an update of systemd does, and waits until it has configured its link and removed foreign
 * routes and rules.
 */
const restartNetworkd =
    "systemctl restart systemd-networkd && /lib/systemd/systemd-networkd-wait-online --interface=eth0 --timeout=60";

describe("a machine like Ubuntu", function () {
    this.timeout(120_000);
    const cluster = `t${process.pid}u`;
    let subnet: string;
    const machine = async (name: string, place: number, config: string, os: machines.MachineOs = "ignition") => {
        const address = subnet.replace(".0/24", `.${place}`);
        await machines.createMachine({ cluster, name, address, config, os, osLike: "ubuntu" });
        const run = (command: string) => machines.exec(cluster, name, ["sh", "-c", command]);
        await run("systemctl start network-online.target systemd-resolved.service");
        return run;
    };

    before(async () => {
        await machines.ensureEngine();
        subnet = await machines.pickSubnet(cluster);
        await machines.createNetwork({ cluster, subnet, domain: "tradewind.test" });
    });
    after(() => machines.destroyCluster(cluster));

    it("is as hostile as the real one: a DNS stub, a networkd that removes routes and rules, a short limit on delays", async () => {
        const run = await machine("bare", 11, JSON.stringify({ ignition: { version: "3.5.0" } }));
        assert.match(await run("cat /etc/resolv.conf"), /^nameserver 127\.0\.0\.53$/m);
        assert.equal((await run(longestDelay)).trim(), `t ${30_000_000}`);
        await run(`ip rule add from 10.2.0.0/16 to ${metadata} prohibit priority 100`);
        await run("ip route add unreachable 10.2.0.0/16 metric 4096");
        await run(restartNetworkd);
        assert.doesNotMatch(await run("ip rule; ip route"), /prohibit|unreachable/);
    });

    for (const [index, os] of machines.MACHINE_OSES.entries()) {
        it(`keeps what a node needs from its first boot on, with ${os}`, async () => {
            const own = { name: `node-${os}`, address: "10.0.0.21" };
            const node = merge(system(fixedCluster(), own, downloads.cniPlugins), shutdownDelay(), resolvConf());
            const text = os === "ignition" ? render(node) : toCloudInit(node);
            const run = await machine(own.name, 12 + index, text, os);
            const isActive = () => run("systemctl is-active node-routes.service");
            await eventually("routes of the node", isActive, 30);
            assert.equal((await run(longestDelay)).trim(), `t ${50_000_000}`);
            // From a CNI plugin.
            await run(
                "ip rule add from 10.2.7.0/24 to 192.0.2.1 prohibit priority 101; ip route add unreachable 192.0.2.0/24",
            );
            for (const again of [restartNetworkd, "networkctl reconfigure eth0", restartNetworkd]) {
                await run(again);
                const kept = await run("ip rule; ip route");
                assert.match(kept, /^100:\s+from 10\.2\.0\.0\/16 to 169\.254\.169\.254 prohibit$/m, again);
                assert.match(kept, /^101:\s+from 10\.2\.7\.0\/24 to 192\.0\.2\.1 prohibit$/m, again);
                for (const range of ["10.2.0.0/16", "192.0.2.0/24"]) {
                    assert.ok(
                        kept.split("\n").some((line) => line.startsWith(`unreachable ${range} `)),
                        again,
                    );
                }
            }
            await run(resolvConfScript);
            const told = await run(`cat ${paths.kubeletConfigDropIns}/*`);
            assert.match(told, /^resolvConf: \/run\/systemd\/resolve\/resolv\.conf$/m);
        });
    }
});

describe("a cluster of machines like Ubuntu", function () {
    this.timeout(420_000);
    const cluster = new TestCluster("ubuntu");
    const [controller, worker] = ["ubuntu-controller-0", "ubuntu-default-0"];
    const nodes = [controller, worker];

    before(() =>
        finished(
            cluster.spawnStart(
                "--controllers",
                "1",
                "--workers",
                "1",
                "--os",
                "cloud-init",
                "--os-like",
                "ubuntu",
                "--yes",
            ),
        ),
    );
    after(() => cluster.destroy());

    const resolves = async () => {
        await makeAsker(cluster, worker);
        const names = ["kubernetes.default.svc.cluster.local", `${controller}.ubuntu.tradewind.internal`];
        const program = `Promise.all(${JSON.stringify(names)}.map((n)=>require("dns").promises.resolve4(n))).then((a)=>console.log(a.flat().length))`;
        const answer = () => cluster.kubectl("exec", "asker", "--", "node", "-e", program);
        assert.equal((await eventually("both names in a pod", answer, 30)).trim(), "2");
    };

    const isGuarded = async (node: string) => {
        const kept = await cluster.exec(node, "ip rule; ip route");
        assert.match(kept, /^100:\s+from 10\.2\.0\.0\/16 to 169\.254\.169\.254 prohibit$/m, node);
        assert.match(kept, /^unreachable 10\.2\.0\.0\/16 /m, node);
        assert.match(kept, /^10\.3\.0\.0\/16 dev services /m, node);
        assert.match(kept, /^10\.2\.\d\.0\/24 .*dev flannel\.1/m, node);
    };

    const delaysShutdowns = async (node: string) => {
        assert.match(await cluster.exec(node, "systemd-inhibit --list --no-legend"), /^kubelet .* shutdown .* delay$/m);
        assert.equal((await cluster.exec(node, longestDelay)).trim(), `t ${50_000_000}`);
    };

    it("has DNS, as no pod uses the node's own stub", async () => {
        await resolves();
        const files = "/var/lib/containerd/io.containerd.grpc.v1.cri/sandboxes/*/resolv.conf";
        for (const node of nodes) {
            const found = await cluster.exec(node, `cat ${files}`);
            assert.match(found, /^nameserver \d/m);
            assert.doesNotMatch(found, /^nameserver 127\./m);
        }
        const { items } = await cluster.get<{ items: { status: { containerStatuses: { restartCount: number }[] } }[] }>(
            ...["pods", "-n", "kube-system", "-l", "k8s-app=kube-dns"],
        );
        assert.deepEqual(
            items.flatMap(({ status }) => status.containerStatuses.map(({ restartCount }) => restartCount)),
            [0, 0],
        );
    });

    /**
     * Makes the controller answer the worker at the address of the metadata service, below the worker's routes and
     * rules.
     */
    const serveMetadata = async () => {
        const address = (
            await cluster.kubectl(
                "get",
                "node",
                controller,
                "-o",
                'jsonpath={.status.addresses[?(@.type=="InternalIP")].address}',
            )
        ).trim();
        const serve = "systemd-run --quiet --unit=metadata busybox httpd -f -p 80 -h /run/metadata";
        await cluster.exec(
            controller,
            `mkdir -p /run/metadata; echo secret >/run/metadata/index.html; systemctl is-active --quiet metadata || ${serve}`,
        );
        await cluster.exec(
            worker,
            `ip route replace ${metadata} via ${address} dev eth0
nft -f - <<END
table netdev metadata {
    chain out {
        type filter hook egress device "eth0" priority 0;
        ip daddr ${metadata} ip daddr set ${address}
    }
    chain in {
        type filter hook ingress device "eth0" priority 0;
        ip saddr ${address} tcp sport 80 ip saddr set ${metadata}
    }
}
END`,
        );
        await eventually("an answer to the worker itself", () => cluster.exec(worker, `curl -fsS -m 2 ${url}`), 20);
    };

    it("keeps its routes and the block of the metadata service while networkd restarts", async () => {
        for (const node of nodes) await isGuarded(node);
        await serveMetadata();
        const program = `let answers=0,asked=0,end=Date.now()+20e3;(async()=>{while(Date.now()<end){asked++;await fetch("${url}",{signal:AbortSignal.timeout(300)}).then(()=>answers++,()=>{})}console.log(answers,asked>10)})()`;
        const asking = cluster.kubectl("exec", "asker", "--", "node", "-e", program);
        for (const node of [worker, controller, worker]) {
            await cluster.exec(node, restartNetworkd);
            await isGuarded(node);
        }
        assert.equal((await asking).trim(), "0 true");
        await resolves();
        // With just the rule.
        await cluster.exec(worker, "ip rule del priority 100");
        assert.equal(await ask(cluster, url), "200");
        await cluster.exec(worker, `${paths.bin}/node-routes`);
        assert.notEqual(await ask(cluster, url), "200");
    });

    it("lets its kubelets delay a shutdown, even after logind restarts", async () => {
        for (const node of nodes) {
            await delaysShutdowns(node);
            await cluster.exec(node, "systemctl restart systemd-logind");
            await delaysShutdowns(node);
        }
    });

    it("reboots a worker after a pod has terminated gracefully, and then restores all of it", async () => {
        const seconds = 8;
        const program = `process.on("SIGTERM",()=>setTimeout(()=>{require("fs").writeFileSync("/host/ended",String(Date.now()/1000));process.exit()},${seconds}e3));setInterval(()=>{},1e3)`;
        const volumeMounts = [{ name: "host", mountPath: "/host" }];
        const hostPath = { path: "/var/lib/slow", type: "DirectoryOrCreate" };
        await cluster.kubectl("label", "namespace", "default", "pod-security.kubernetes.io/enforce=privileged");
        await cluster.apply({
            apiVersion: "v1",
            kind: "Pod",
            metadata: { name: "slow" },
            spec: {
                nodeName: worker,
                terminationGracePeriodSeconds: 30,
                containers: [{ name: "slow", image: images.node, command: ["node", "-e", program], volumeMounts }],
                volumes: [{ name: "host", hostPath }],
            },
        });
        await cluster.kubectl("wait", "--for=condition=Ready", "pod/slow", "--timeout=60s");
        const began = Date.now() / 1000;
        await machines.reboot("ubuntu", worker);
        const ended = Number(await cluster.exec(worker, "cat /var/lib/slow/ended"));
        assert.ok(ended - began >= seconds, `ended ${ended - began} s after the reboot request`);
        const journal = "journalctl --unit=kubelet --output=short-unix --no-pager";
        const stopping = Number.parseFloat(await cluster.exec(worker, `${journal} | grep Stopping | tail -1`));
        assert.ok(stopping > ended, `the machine stopped its services at ${stopping}, before ${ended}`);
        await cluster.kubectl("wait", "--for=condition=Ready", `node/${worker}`, "--timeout=90s");
        await cluster.kubectl("delete", "pod", "asker", "slow", "--wait=true", "--grace-period=0", "--force");
        await eventually("routes of pods after a boot", () => isGuarded(worker));
        await delaysShutdowns(worker);
        await resolves();
        await serveMetadata();
        assert.notEqual(await ask(cluster, url), "200");
    });
});
