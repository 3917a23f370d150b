import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { ensureEngine, list } from "../../../machines";
import { describeLong } from "../../takes-long";
import { eventually } from "../cluster";
import { countObjects } from "../count-objects";
import { describeTallies, Prober } from "../prober";
import { likeKubernetes, loadBalancerTargets } from "../rollout";
import { simulatedAws } from "../simulated-aws";
import { SimulatedCluster } from "../simulated-cluster";
import { areResizedInTurn } from "./resized";

const cluster = new SimulatedCluster("awspriv", simulatedAws);

describeLong("three controllers without internet access on a simulated AWS", function () {
    this.timeout(420_000);
    const instances = () => cluster.account.all("instances");
    const members = (pool: string) => instances().filter(({ createdBy }) => createdBy === `awspriv-${pool}`);
    const workers = () => instances().flatMap(({ createdBy, machine }) => (createdBy === undefined ? [] : [machine]));
    const set = (path: string, value: string) =>
        cluster.pulumi("config", "set", "--path", `tradewind:${path}`, value, "--plaintext");
    const asBefore = () => cluster.pulumi("preview", "--non-interactive", "--expect-no-changes");

    /** Asserts that `change` fails no request of clients that read and write through the load balancer. */
    async function losesNothing(change: () => Promise<unknown>): Promise<void> {
        const prober = new Prober(await loadBalancerTargets(cluster), 400);
        try {
            await countObjects(cluster, "a change", async () => {
                await change();
                // The last generation drains.
                await sleep(15_000);
            });
        } finally {
            const tallies = await prober.stop();
            console.log(`      ${describeTallies(tallies)}`);
            assert.deepEqual(
                likeKubernetes(tallies).flatMap(({ failures }) => failures),
                [],
            );
        }
    }

    before(async () => {
        await ensureEngine();
        await cluster.prepare(() => ({
            controllers: { count: 3 },
            workerPools: [{ name: "default", count: 2, instanceRefresh: { warmup: "30s" } }],
            topology: "private",
            natGateways: "none",
            apiAccess: "internal",
            privateZone: "own",
            certificates: { kubeletServing: "verified" },
        }));
    });
    after(() => cluster.destroy());

    it("is previewed without creating anything", async () => {
        const { stdout } = await cluster.pulumi("preview", "--non-interactive");
        assert.match(stdout, /aws:ec2:Instance +awspriv-controller-2/);
        assert.deepEqual(cluster.account.left, []);
    });

    it("starts using only its endpoints and its internal load balancer", async () => {
        await cluster.up();
        await cluster.ready(workers());
        const { resources } = cluster.account;
        for (const kind of ["gateways", "natGateways", "addresses"] as const) assert.deepEqual(resources[kind], {});
        const endpoints = Object.values(resources.endpoints).map(({ service, subnets }) => [service, subnets.length]);
        assert.deepEqual(endpoints.sort(), [
            ["autoscaling", 1],
            ["ec2", 1],
            ["s3", 0],
        ]);
        assert.equal(members("default").length, 2);
        const zones = new Set(instances().map(({ subnet }) => resources.subnets[subnet]!.zone));
        assert.equal(zones.size, 3);
    });

    it("has kubelets serving the cluster's certificates, for the addresses EC2 reports", async () => {
        const nodes = (await cluster.kubectl("get", "nodes", "-o", "name")).split("\n").filter(Boolean);
        assert.equal(nodes.length, 5);
        for (const node of nodes) {
            const name = node.replace("node/", "");
            // Through kube-apiserver, which accepts no other.
            const read = () => cluster.kubectl("get", "--raw", `/api/v1/nodes/${name}/proxy/healthz`);
            await eventually(`an answer of ${name}`, async () => assert.equal(await read(), "ok"));
        }
        const permissions = cluster.account.all("rolePolicies").map(({ name }) => name);
        assert.ok(permissions.some((name) => name.includes("serving-approver")));
    });

    it("shows no change in a second up", async () => {
        assert.match((await cluster.up("--expect-no-changes")).stdout, /\d+ unchanged/);
    });

    it("rolls a flag of kube-apiserver without a failed request", () =>
        losesNothing(async () => {
            await set("components.kubeApiserver.v", "1");
            assert.match((await cluster.up()).stdout, /kube-apiserver updated/);
        }));

    it("adds another pool, of spot instances with a label, and removes it", async () => {
        await set("workerPools[1].name", "batch");
        await set("workerPools[1].labels.tier", "batch");
        await set("workerPools[1].spot.onDemandBase", "0");
        await cluster.up();
        await cluster.ready(workers());
        const [added] = members("batch");
        assert.match(await cluster.kubectl("get", "nodes", "-l", "tier=batch", "-o", "name"), /node\/i-/);
        await cluster.pulumi("config", "rm", "--path", "tradewind:workerPools[1]");
        await cluster.up();
        assert.deepEqual(members("batch"), []);
        const nodes = await cluster.kubectl("get", "nodes", "-o", "name");
        assert.doesNotMatch(nodes, new RegExp(added!.machine));
    });

    it("changes a pool's instance type, one drained instance after another, without a failed request", () =>
        losesNothing(async () => {
            const names = () => members("default").map(({ machine }) => machine);
            const before = names();
            await set("workerPools[0].instanceType", "t3.large");
            await cluster.up();
            const most: number[] = [];
            await eventually(
                "other instances",
                async () => {
                    most.push(names().length);
                    assert.deepEqual([names().length, names().filter((each) => before.includes(each))], [2, []]);
                },
                300,
            );
            assert.equal(Math.max(...most), 3);
            await cluster.ready(workers());
            const ends = await cluster.kubectl("get", "events", "--field-selector=reason=InstanceTermination");
            for (const each of before) assert.match(ends, new RegExp(`node/${each} .* being cordoned and drained`));
            // Nodes of terminated instances are deleted by node-cleaner, through the endpoint of one zone.
            const isClean = async () =>
                assert.doesNotMatch(await cluster.kubectl("get", "nodes", "-o", "name"), new RegExp(before.join("|")));
            await eventually("nodes of terminated instances to be deleted", isClean, 120);
        }));

    it("changes its controllers' instance type, one drained after another, without a failed request", () =>
        losesNothing(async () => {
            const types = () =>
                instances().flatMap(({ createdBy, spec }) => (createdBy === undefined ? [spec?.instanceType] : []));
            await set("controllers.instanceType", "t3.large");
            const { stdout } = await cluster.up();
            assert.deepEqual(types(), ["t3.large", "t3.large", "t3.large"]);
            areResizedInTurn(stdout, 3);
            assert.doesNotMatch(await cluster.kubectl("get", "nodes"), /SchedulingDisabled|NotReady/);
        }));

    it("is unchanged in a preview after all of it", asBefore);

    it("is destroyed, leaving nothing in the account", async () => {
        await cluster.destroy();
        assert.deepEqual(cluster.account.left, []);
        assert.deepEqual(await list("awspriv"), []);
    });
});
