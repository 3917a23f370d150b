import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { ensureEngine, list } from "../../../machines";
import { callsPath } from "../../../simulator/clouds/aws/services/query/protocol";
import { callsOf, deniedTo } from "../../account-calls";
import { describeLong } from "../../takes-long";
import { eventually } from "../cluster";
import { simulatedAws } from "../simulated-aws";
import { SimulatedCluster } from "../simulated-cluster";

const cluster = new SimulatedCluster("awsrepair", simulatedAws);

describeLong("machine repair on a simulated AWS", function () {
    this.timeout(900_000);
    const { account } = cluster;
    const workers = () =>
        account
            .all("instances")
            .filter(({ createdBy }) => createdBy !== undefined)
            .map(({ machine }) => machine)
            .sort();
    const repairer = () => cluster.kubectl("logs", "-n", "kube-system", "deployment/node-repairer");
    const called = (action: string) => callsOf(account).filter((call) => call.includes(action)).length;
    const reasonsOf = async (node: string) => {
        const all = ["get", "events", "--field-selector", `involvedObject.name=${node}`, "-o"];
        return (await cluster.kubectl(...all, "jsonpath={.items[*].reason}")).split(" ");
    };
    const ended = (what: string, from: number) =>
        console.log(`        ${what} after ${Math.round((performance.now() - from) / 1000)} s`);

    before(async () => {
        await ensureEngine();
        // From an account that existed before.
        rmSync(callsPath(account.path), { force: true });
        await cluster.prepare(() => ({
            zones: ["a", "b"],
            // The group waits so long for a drain, which a machine without a kubelet cannot have.
            workerPools: [{ name: "default", count: 2, drainTimeout: "1m" }],
            repair: { restartAfter: "2m", replaceAfter: "4m" },
        }));
        await cluster.up();
        await cluster.ready(workers());
    });
    after(() => cluster.destroy());

    it("restarts a worker whose kubelet hangs, which EC2 does not see, and the node recovers", async () => {
        const [lost] = workers() as [string];
        const boot = () => cluster.exec(lost, "cat /proc/1/stat | cut -d ' ' -f 22");
        const before = await boot();
        const from = performance.now();
        await cluster.exec(lost, "pkill -STOP -x kubelet");
        const isRestarted = async () => {
            assert.notEqual(await boot(), before);
            assert.ok((await reasonsOf(lost)).includes("MachineRecovered"));
        };
        await eventually("the worker to recover", isRestarted, 360);
        ended("restarted and recovered", from);
        assert.equal(called("RebootInstances"), 1);
        assert.ok(workers().includes(lost));
    });

    it("replaces a worker that a restart does not mend", async () => {
        const [, lost] = workers() as [string, string];
        const from = performance.now();
        await cluster.exec(
            lost,
            "systemctl stop kubelet; rm /etc/systemd/system/kubelet.service; systemctl daemon-reload",
        );
        const isReplaced = async () => assert.ok(!workers().includes(lost) && workers().length === 2);
        await eventually("another instance", isReplaced, 600);
        ended("replaced", from);
        await cluster.ready(workers());
        ended("all nodes Ready", from);
        assert.equal(called("RebootInstances"), 2);
        assert.match(await repairer(), new RegExp(lost));
    });

    it("needs exactly the granted permissions, and leaves nothing to change", async () => {
        assert.deepEqual(deniedTo(account), []);
        assert.equal(called("TerminateInstanceInAutoScalingGroup"), 1);
        await cluster.pulumi("preview", "--expect-no-changes", "--non-interactive");
    });

    it("is destroyed, leaving nothing in the account", async () => {
        await cluster.destroy();
        assert.deepEqual(account.left, []);
        assert.deepEqual(await list("awsrepair"), []);
    });
});
