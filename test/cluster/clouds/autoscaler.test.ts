import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { builtAwsCloudController, builtClusterAutoscaler } from "../../../artifacts/test-recipes";
import { list } from "../../../machines";
import { callsPath } from "../../../simulator/clouds/aws/services/query/protocol";
import { images } from "../../../versions/images";
import { callsOf, deniedTo } from "../../account-calls";
import { describeLong } from "../../takes-long";
import { eventually } from "../cluster";
import { simulatedAws } from "../simulated-aws";
import { SimulatedCluster } from "../simulated-cluster";
import { withTestImages } from "../test-images";

const cluster = new SimulatedCluster("awsscale", simulatedAws);

// Both controllers are Go programs that take minutes to build the first time.
describeLong("cluster-autoscaler in a cluster on a simulated AWS", function () {
    this.timeout(400_000);
    const { account } = cluster;
    const members = () =>
        Object.entries(account.resources.instances).flatMap(([id, { createdBy }]) =>
            createdBy === "awsscale-burst" ? [id] : [],
        );
    const group = () => account.find("autoScalingGroups", "awsscale-burst");
    const running = async () => {
        const selected = ["get", "pods", "-l", "app=batch", "--field-selector=status.phase=Running", "-o", "name"];
        return (await cluster.kubectl(...selected)).split("\n").filter(Boolean).length;
    };
    const scaleTo = (replicas: number) => cluster.kubectl("scale", "deployment/batch", `--replicas=${replicas}`);
    const nodes = async () => (await cluster.kubectl("get", "nodes", "-o", "name")).split("\n").filter(Boolean);
    const since = performance.now.bind(performance);
    const report = (what: string, from: number) =>
        console.log(`        ${what} after ${Math.round((since() - from) / 1000)} s`);

    withTestImages();
    before(async () => {
        // From an account that existed before.
        rmSync(callsPath(account.path), { force: true });
        await cluster.prepare(() => ({
            zones: ["a"],
            workerPools: [
                {
                    name: "burst",
                    min: 0,
                    max: 1,
                    labels: { "example.com/kind": "batch" },
                    taints: ["example.com/batch=yes:NoSchedule"],
                },
            ],
            cloudController: true,
            autoscaler: true,
            certificates: { kubeletServing: "verified" },
            clusterAutoscaler: { scaleDownUnneededTime: "1m", scaleDownDelayAfterAdd: "1m" },
            cloudImages: { awsCloudController: builtAwsCloudController, clusterAutoscaler: builtClusterAutoscaler },
        }));
    });
    after(() => cluster.destroy());

    it("starts with a pool that has no instance, and finds its group by its tags", async () => {
        await cluster.up();
        await cluster.ready();
        assert.deepEqual([group().desired, members().length], [0, 0]);
        await eventually("the group in its status", async () => {
            const status = ["-n", "kube-system", "get", "configmap", "cluster-autoscaler-status", "-o", "yaml"];
            assert.match(await cluster.kubectl(...status), /name: awsscale-burst/);
        });
    });

    it("launches an instance for pods that do not fit, based on the labels and taints of future nodes", async () => {
        const from = since();
        const labels = { app: "batch" };
        const spec = {
            terminationGracePeriodSeconds: 0,
            nodeSelector: { "example.com/kind": "batch", "node.kubernetes.io/pool": "burst" },
            tolerations: [{ key: "example.com/batch", operator: "Exists" }],
            containers: [
                {
                    name: "batch",
                    image: images.node,
                    command: ["node", "-e", "setTimeout(() => {}, 1e9)"],
                    // One per node, which then has enough load to be left alone for five minutes.
                    resources: { requests: { cpu: "1200m" } },
                },
            ],
        };
        const template = { metadata: { labels }, spec };
        const deployment = { replicas: 1, selector: { matchLabels: labels }, template };
        await cluster.apply({
            apiVersion: "apps/v1",
            kind: "Deployment",
            metadata: { name: "batch" },
            spec: deployment,
        });
        await eventually("a pod that runs", async () => assert.equal(await running(), 1), 180);
        report("from nothing to a pod that runs", from);
        // Over a connection to the kubelet, which has a certificate for the addresses EC2 reports.
        await cluster.kubectl("logs", "deployment/batch");
        assert.equal(group().desired, 1);
    });

    it("launches as many as the pool allows, and no more", async () => {
        await scaleTo(2);
        await eventually("the reason why there is no second one", async () => {
            assert.match(await cluster.kubectl("get", "events"), /NotTriggerScaleUp.*max node group size reached/);
        });
        assert.deepEqual([group().desired, members().length, await running()], [1, 1, 1]);
    });

    it("determines their number: the stack has nothing to change, and keeps it when it changes the group", async () => {
        await cluster.up("--expect-no-changes");
        await cluster.pulumi("config", "set", "--path", "--plaintext", "tradewind:workerPools[0].max", "2");
        const known = members();
        await cluster.up();
        assert.equal(group().most, 2);
        await eventually("two pods that run", async () => assert.equal(await running(), 2), 180);
        assert.ok(known.every((id) => members().includes(id)));
    });

    it("terminates unneeded ones, which their agents drain and report", async () => {
        const from = since();
        const removed = members();
        await scaleTo(0);
        await eventually("no instance", async () => assert.equal(members().length, 0), 300);
        report("from two unneeded ones to none", from);
        assert.equal(group().desired, 0);
        const { terminatedInstances } = account.resources;
        assert.deepEqual(
            removed.map((id) => terminatedInstances[id]?.wasReleased),
            [true, true],
        );
        await eventually("only the controller's node", async () => assert.equal((await nodes()).length, 1), 90);
    });

    it("has the permissions it used in the cloud and in the cluster, and lacked none", async () => {
        assert.deepEqual(deniedTo(account), []);
        const used = new Set(callsOf(account).map((line) => line.split(" ")[1]!));
        const needed = ["DescribeAutoScalingGroups", "SetDesiredCapacity", "TerminateInstanceInAutoScalingGroup"];
        for (const action of needed) assert.ok(used.has(`autoscaling:${action}`), action);
        for (const action of ["DescribeInstanceTypes", "DescribeLaunchTemplateVersions"]) {
            assert.ok(used.has(`ec2:${action}`), action);
        }
        const logs = await cluster.kubectl("-n", "kube-system", "logs", "deployment/cluster-autoscaler");
        assert.deepEqual(
            logs.split("\n").filter((line) => /is forbidden|Failed to watch/.test(line)),
            [],
        );
    });

    it("is destroyed with an instance that it launched, and leaves nothing in the account", async () => {
        await scaleTo(1);
        await eventually("an instance", async () => assert.equal(members().length, 1), 180);
        await cluster.destroy();
        assert.deepEqual(account.left, []);
        assert.deepEqual(await list("awsscale"), []);
    });
});
