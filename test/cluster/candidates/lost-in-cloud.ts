import assert from "node:assert/strict";
import { controllerLabel } from "../../../cluster/labels";
import { list, powerOff, powerOn } from "../../../machines";
import { eventually } from "../cluster";
import { countObjects } from "../count-objects";
import { etcdMembers, leadEtcd } from "../etcd-roll";
import type { SimulatedCluster } from "../simulated-cluster";

/** Seconds from the loss of a controller to three voters again. */
const goalSeconds = 120;

/** Tests that the third of three controllers is lost, and that the first candidate takes its place in a cloud. */
export function replacesThird(cluster: SimulatedCluster<unknown>): void {
    const controller = (index: number) => `${cluster.name}-controller-${index}`;
    const candidate = `${cluster.name}-default-0`;

    it("are three voters again, without a lost write and without a call of the cloud", async () => {
        await leadEtcd(cluster, controller(2));
        const count = await countObjects(cluster, "a controller lost, until there are three voters", async () => {
            const start = performance.now();
            await powerOff(cluster.name, controller(2));
            const areThree = async () => {
                const members = await etcdMembers(cluster, controller(0));
                assert.deepEqual(members, [controller(0), controller(1), candidate]);
            };
            await eventually("three voters", areThree, goalSeconds);
            console.log(`      three voters after ${((performance.now() - start) / 1000).toFixed(0)} s`);
        });
        assert.ok(count.longestGap < 30_000, `${count.longestGap} ms without an acknowledged object`);
        await eventually("the candidate's own kube-apiserver", async () =>
            assert.equal(await cluster.exec(candidate, "curl -sk https://127.0.0.1:6443/readyz"), "ok"),
        );
    });

    it("leave nothing to change, and the machine that returns is a candidate", async () => {
        await powerOn(cluster.name, controller(2));
        const hasNoRole = async () => {
            const names = await cluster.kubectl("get", "nodes", "-l", controllerLabel, "-o", "name");
            assert.deepEqual(names.trim().split("\n").sort(), [
                `node/${controller(0)}`,
                `node/${controller(1)}`,
                `node/${candidate}`,
            ]);
        };
        await eventually("the returned machine to be a candidate", hasNoRole, 240);
        await cluster.ready();
        await cluster.pulumi("preview", "--expect-no-changes", "--non-interactive");
    });
}

/** Tests that a destroy leaves nothing in the account, and no machine. */
export function leavesNothing(cluster: SimulatedCluster<{ readonly left: readonly string[] }>): void {
    it("are destroyed, leaving nothing in the account", async () => {
        await cluster.destroy();
        assert.deepEqual(cluster.account.left, []);
        assert.deepEqual(await list(cluster.name), []);
    });
}
