import assert from "node:assert/strict";
import { ensureEngine, list, reboot } from "../../../machines";
import { describeLong } from "../../takes-long";
import { eventually } from "../cluster";
import { DualStackWeb, ip6, nodePort } from "../dual-stack/dual-stack-web";
import { simulatedAws } from "../simulated-aws";
import { SimulatedCluster } from "../simulated-cluster";

const cluster = new SimulatedCluster("awsdual", simulatedAws);

describeLong("a dual-stack cluster on a simulated AWS", function () {
    this.timeout(300_000);
    const { account } = cluster;
    const instances = () => account.all("instances");
    const machines = () => {
        const [controllers, workers] = [false, true].map((isOne) =>
            instances().filter(({ createdBy }) => (createdBy !== undefined) === isOne),
        );
        return [controllers![0]!.machine, workers![0]!.machine] as const;
    };
    const web = new DualStackWeb(cluster, machines);
    const address6 = (machine: string) => instances().find((each) => each.machine === machine)!.address6!;

    before(async function () {
        this.timeout(600_000);
        await ensureEngine();
        await cluster.prepare(() => ({
            zones: ["a", "b"],
            ipv6: true,
            podCidr6: "fd00:10:2::/56",
            serviceCidr6: "fd00:10:3::/112",
            workerPools: [{ name: "default" }],
        }));
        await cluster.up();
        await cluster.ready([machines()[1]]);
        await web.install();
    });
    after(() => cluster.destroy());

    it("has nodes with the addresses that their subnets have assigned, and pods with those of the cluster", async () => {
        for (const machine of machines()) {
            assert.match(address6(machine), /^2001:db8:/);
            assert.deepEqual(await web.addresses6(machine), [address6(machine)]);
        }
        for (const { status } of web.pods) {
            assert.match(status.podIPs.map(({ ip }) => ip).join(), /^10\.2\.\d+\.\d+,fd00:10:2:/);
        }
    });

    web.reaches();

    it("lets nothing else than the cluster's own traffic in by IPv6, as by IPv4", async () => {
        const [controller, worker] = machines();
        const url = `http://[${address6(worker)}]:${nodePort}/`;
        web.isOfWeb(await eventually(url, () => web.curlOn(worker, url), 30));
        await assert.rejects(web.curlOn(controller, url), /timed out/);
        const kubelet = `curl -sSk --max-time 5 'https://[${address6(worker)}]:10250/healthz'`;
        assert.equal(await cluster.exec(controller, kubelet), "Unauthorized");
    });

    it("gives packets of pods to other addresses the one of their node, which others let in", async () => {
        const [pod] = web.pods;
        const other = machines().find((machine) => machine !== pod.spec.nodeName)!;
        // The kubelet's port, which only nodes may reach, expects TLS.
        const wget = `timeout 10 busybox wget -O - 'http://[${address6(other)}]:10250/' 2>&1 || true`;
        assert.match(await web.inPod(pod, "sh", "-c", wget), /400 Bad Request/);
    });

    web.isRestricted();

    it("does not start a kubelet without the IPv6 address, and starts it with it", async () => {
        const [, worker] = machines();
        const address = address6(worker);
        await cluster.exec(worker, `ip -6 address del ${address}/56 dev eth0 && systemctl restart kubelet --no-block`);
        const why = "this machine must have an address in 2000::/3, and has 10.";
        await eventually(why, async () => {
            assert.ok((await cluster.exec(worker, "journalctl --unit kubelet --lines 50 --output cat")).includes(why));
        });
        await cluster.exec(worker, `ip -6 address replace ${address}/56 dev eth0 nodad`);
        const isRunning = "systemctl is-active kubelet && pgrep -f 'kubelet.*--node-ip=[0-9.]+,2001:'";
        await eventually("the kubelet", () => cluster.exec(worker, isRunning), 60);
    });

    it("keeps its addresses after a reboot", async () => {
        const [, worker] = machines();
        await reboot(cluster.name, worker);
        await eventually("the node", () => cluster.kubectl("wait", "node", "--all", "--for=condition=Ready"), 120);
        await web.findPods();
        assert.deepEqual(await web.addresses6(worker), [address6(worker)]);
        const [from, to] = web.pods;
        const url = `http://[${ip6(to)}]:8080/`;
        assert.equal(await eventually(url, () => web.fetchIn(from, url), 120), to.spec.nodeName);
    });

    it("shows no change in a second up", async () => {
        const { stdout } = await cluster.up("--expect-no-changes");
        assert.match(stdout, /\d+ unchanged/);
    });

    it("is destroyed, and leaves nothing in the account", async () => {
        await cluster.destroy();
        assert.deepEqual(account.left, []);
        assert.deepEqual(await list(cluster.name), []);
    });
});
