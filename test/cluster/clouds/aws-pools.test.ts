import assert from "node:assert/strict";
import { docker, ensureEngine, list, reboot } from "../../../machines";
import { containerName } from "../../../machines/names";
import { loseSpot, recommendRebalance } from "../../../simulator/clouds/aws/offers";
import { images } from "../../../versions/images";
import { describeLong } from "../../takes-long";
import { eventually } from "../cluster";
import { simulatedAws } from "../simulated-aws";
import { SimulatedCluster } from "../simulated-cluster";

const cluster = new SimulatedCluster("awspools", simulatedAws);
const controller = "awspools-controller-0";

/** Terminates like a typical server: it keeps serving for a while as it is removed from its Service. */
const server = `process.on("SIGTERM", () => setTimeout(() => process.exit(), 10_000));
require("http").createServer((_, answer) => answer.end("hello")).listen(8080)`;

describeLong("a pool of spot instances on a simulated AWS", function () {
    this.timeout(300_000);
    const members = () => cluster.account.all("instances").filter(({ createdBy }) => createdBy !== undefined);
    const names = () => members().map(({ machine }) => machine);
    /** Resolves to the new machine once there are two again with Ready nodes. */
    const replacementOf = (lost: string, known: readonly string[]) =>
        eventually(
            "another instance",
            async () => {
                assert(!names().includes(lost), `${lost} exists`);
                const [came] = names().filter((each) => !known.includes(each));
                assert(came, "no new machine");
                const ready = await cluster.kubectl("wait", "--for=condition=Ready", `node/${came}`, "--timeout=1s");
                assert.match(ready, /condition met/);
                return came;
            },
            150,
        );
    const onNode = async (node: string) => {
        const pods = ["get", "pods", "-l", "app=web", "-o", "name", `--field-selector=spec.nodeName=${node}`];
        return (await cluster.kubectl(...pods)).split("\n").filter(Boolean).length;
    };
    /** A machine with pods of the Service. */
    const instanceOfWeb = async () => {
        for (const each of Object.entries(cluster.account.resources.instances)) {
            if (each[1].createdBy !== undefined && (await onNode(each[1].machine)) > 0) return each;
        }
        throw new Error("no instance has pods of the Service");
    };
    /** Requests the Service from the controller, over one connection after another, until `failed` is called. */
    const askAllTheWhile = async () => {
        const ip = await cluster.kubectl("get", "service", "web", "-o", "jsonpath={.spec.clusterIP}");
        const ask = `curl -s -f -o /dev/null -m 10 -w '%{http_code} %{time_total}' http://${ip}`;
        const script = `rm -f /tmp/stop; asked=0; until [ -e /tmp/stop ]; do
            asked=$((asked + 1)); told=$(${ask}) || echo "$(date +%T) exit $? $told"; sleep 0.05
        done; echo "$asked"`;
        const asking = cluster.exec(controller, script);
        const failed = async () => {
            await cluster.exec(controller, "touch /tmp/stop");
            const lines = (await asking).trim().split("\n");
            const asked = Number(lines.pop());
            console.log(`        ${lines.length} of ${asked} requests failed`);
            assert(asked > 100);
            return lines;
        };
        return { failed };
    };
    const count = async (desired: number) => {
        await cluster.pulumi(
            "config",
            "set",
            "--path",
            "--plaintext",
            "tradewind:workerPools[0].count",
            String(desired),
        );
        await cluster.up();
    };
    const spreadAgain = async () => {
        await cluster.kubectl("rollout", "restart", "deployment/web");
        await cluster.kubectl("rollout", "status", "deployment/web", "--timeout=60s");
    };
    /** Whether its agent reported that an instance may be terminated. */
    const released = (machine: string) => {
        const { terminatedInstances } = cluster.account.resources;
        assert(Object.hasOwn(terminatedInstances, machine), `${machine} is terminated`);
        return terminatedInstances[machine]!.wasReleased === true;
    };
    const filterIn = (machine: string) =>
        cluster.exec(machine, "nft list chain inet simulated_firewall input | grep -c 'ip saddr'");
    const since = (start: number) => `${((Date.now() - start) / 1000).toFixed(0)} s`;

    before(async () => {
        await ensureEngine();
        const pool = { name: "default", count: 2, spot: {}, instanceTypes: ["t3.medium"], drainTimeout: "60s" };
        await cluster.prepare(() => ({ zones: ["a", "b"], workerPools: [pool], ingress: { httpPort: 8000 } }));
        await cluster.up();
        await cluster.ready(names());
    });
    after(() => cluster.destroy());

    it("keeps an instance that reboots, and restores its packet filter before anything is reachable", async () => {
        const [rebooted] = names() as [string];
        const before = await filterIn(rebooted);
        await reboot("awspools", rebooted);
        assert.equal(await filterIn(rebooted), before);
        const log = await cluster.exec(rebooted, "systemctl show --property=UserspaceTimestampMonotonic");
        console.log(`        rules: ${before.trim()}; ${log.trim()}`);
        await cluster.ready(names());
        assert(names().includes(rebooted));
    });

    it("is the same node after a boot in which its OS spells the host name differently", async () => {
        const [renamed] = names() as [string];
        const [short] = renamed.split(".") as [string];
        const other = short === renamed ? `${renamed}.eu-central-1.compute.internal` : short;
        // An update of the OS does that: the name of the container would be back after its next start.
        const unit = `[Unit]\nBefore=network.target kubelet.service\n[Service]\nType=oneshot\nExecStart=/usr/bin/env hostname ${other}\n[Install]\nWantedBy=multi-user.target\n`;
        await cluster.exec(
            renamed,
            `printf '${unit.replaceAll("\n", "\\n")}' >/etc/systemd/system/rename.service && systemctl enable rename.service`,
        );
        await reboot("awspools", renamed);
        const booted = Date.now();
        await eventually(
            "a heartbeat of the node under its old name",
            async () => {
                assert.equal((await cluster.exec(renamed, "uname -n")).trim(), other);
                const lease = ["get", "lease", "-n", "kube-node-lease", renamed, "-o", "jsonpath={.spec.renewTime}"];
                assert(Date.parse(await cluster.kubectl(...lease)) > booted, "its kubelet has not reported");
            },
            120,
        );
        await cluster.ready(names());
        assert.equal((await cluster.exec(renamed, "cat /var/lib/tradewind/node-name")).trim(), renamed);
        const nodes = await cluster.kubectl("get", "nodes", "-o", "name");
        assert(!nodes.split("\n").includes(`node/${other}`), "no second node");
    });

    it("replaces an instance whose machine is killed with one that is a Ready node and an ingress target", async () => {
        const known = names();
        const [lost] = known as [string];
        const start = Date.now();
        await docker(["kill", containerName("awspools", lost)]);
        const came = await replacementOf(lost, known);
        console.log(`        Ready ${since(start)} after the kill`);
        await cluster.serve(came, 8000);
        const { address } = cluster.account.all("loadBalancers")[0]!;
        const hello = () => cluster.served(address);
        assert.equal(await eventually("an answer through the load balancer", hello), "hello");
    });

    it("evicts pods after an interruption notice, within their budget, without a failed request", async () => {
        const labels = { app: "web" };
        const spread = {
            maxSkew: 1,
            topologyKey: "kubernetes.io/hostname",
            whenUnsatisfiable: "ScheduleAnyway",
            // Terminating pods are not counted.
            matchLabelKeys: ["pod-template-hash"],
        };
        const container = {
            name: "web",
            image: images.node,
            command: ["node", "-e", server],
            readinessProbe: { httpGet: { path: "/", port: 8080 }, periodSeconds: 1 },
        };
        await cluster.apply({
            apiVersion: "v1",
            kind: "List",
            items: [
                {
                    apiVersion: "apps/v1",
                    kind: "Deployment",
                    metadata: { name: "web" },
                    spec: {
                        replicas: 2,
                        selector: { matchLabels: labels },
                        template: {
                            metadata: { labels },
                            spec: {
                                containers: [container],
                                topologySpreadConstraints: [{ ...spread, labelSelector: { matchLabels: labels } }],
                            },
                        },
                    },
                },
                {
                    apiVersion: "policy/v1",
                    kind: "PodDisruptionBudget",
                    metadata: { name: "web" },
                    spec: { minAvailable: 1, selector: { matchLabels: labels } },
                },
                {
                    apiVersion: "v1",
                    kind: "Service",
                    metadata: { name: "web" },
                    spec: { selector: labels, ports: [{ port: 80, targetPort: 8080 }] },
                },
            ],
        });
        // A pod may be on the Node of the killed machine, until that is deleted.
        await cluster.kubectl("rollout", "status", "deployment/web", "--timeout=150s");
        const known = names();
        const [id, { machine: lost }] = await instanceOfWeb();
        const asking = await askAllTheWhile();
        const start = Date.now();
        loseSpot(cluster.account, id, { notice: 60 });
        await eventually("the cordon", async () =>
            assert.equal(await cluster.kubectl("get", "node", lost, "-o", "jsonpath={.spec.unschedulable}"), "true"),
        );
        console.log(`        cordoned ${since(start)} after the notice`);
        await eventually("the drain", async () => assert.equal(await onNode(lost), 0));
        console.log(`        drained ${since(start)} after the notice`);
        assert(names().includes(lost), "it exists while it is drained");
        assert(Date.now() - start < 60_000);
        const came = await replacementOf(lost, known);
        console.log(`        ${came} Ready ${since(start)} after the notice of 60 s`);
        assert.deepEqual(await asking.failed(), []);
    });

    it("launches a replacement first after a rebalance recommendation, and drains the instance before terminating it", async () => {
        const known = names();
        const [id, { machine: lost }] = await instanceOfWeb();
        const asking = await askAllTheWhile();
        const start = Date.now();
        recommendRebalance(cluster.account, id);
        await eventually("the drain", async () => assert.equal(await onNode(lost), 0), 150);
        console.log(`        drained ${since(start)} after the recommendation`);
        const came = await replacementOf(lost, known);
        console.log(`        ${came} Ready and the other one terminated ${since(start)} after the recommendation`);
        assert(released(lost));
        await cluster.kubectl("rollout", "status", "deployment/web", "--timeout=60s");
        assert.deepEqual(await asking.failed(), []);
    });

    it("terminates a drained instance when scaled down, without a failed request", async () => {
        await spreadAgain();
        const known = names();
        const asking = await askAllTheWhile();
        await count(1);
        await eventually("one instance", async () => assert.equal(names().length, 1), 60);
        const [lost] = known.filter((each) => !names().includes(each)) as [string];
        assert(released(lost));
        const events = await cluster.kubectl("get", "events", "--field-selector=reason=InstanceTermination");
        assert.match(events, new RegExp(`node/${lost} .* being cordoned and drained`));
        assert.deepEqual(await asking.failed(), []);
        await count(2);
        await cluster.ready(names());
    });

    it("terminates an instance whose pods cannot be evicted when the time limit is reached", async () => {
        await cluster.kubectl("patch", "pdb", "web", "--type=merge", '--patch={"spec":{"minAvailable":2}}');
        const [oldest] = names() as [string];
        await spreadAgain();
        assert((await onNode(oldest)) > 0, "pods are spread");
        const begun = Date.now();
        await count(1);
        await eventually("one instance", async () => assert.equal(names().length, 1), 120);
        assert(!names().includes(oldest));
        assert(!released(oldest));
        assert(Date.now() - begun >= 60_000);
        console.log(`        terminated ${since(begun)} after the change`);
    });

    it("is in the desired state afterwards, and is destroyed, leaving nothing behind", async () => {
        await cluster.pulumi("preview", "--non-interactive", "--expect-no-changes");
        await cluster.destroy();
        assert.deepEqual(cluster.account.left, []);
        assert.deepEqual(await list("awspools"), []);
    });
});
