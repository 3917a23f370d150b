import assert from "node:assert/strict";
import { powerOff, powerOn } from "../../../machines";
import { describeLong } from "../../takes-long";
import { eventually, TestCluster } from "../cluster";
import { countObjects } from "../count-objects";
import { etcdLeader, leadEtcd, threeVotersWithout } from "../etcd-roll";
import { controllersOf, leftOn, rolesOf, untilCalm, untilControllersAre } from "./roles";

const cluster = new TestCluster("candidates");
const controller = (index: number) => `${cluster.name}-controller-${index}`;
const candidate = (index: number) => `${cluster.name}-default-${index}`;

/** Seconds from the loss of a controller to three voters again. */
const goalSeconds = 120;

const isStill = () => cluster.pulumi("preview", "--expect-no-changes");

describeLong("a cluster of three controllers and three candidates", function () {
    this.timeout(900_000);

    before(async () => {
        await cluster.start("--controllers", "3", "--workers", "3", "--candidates", "--yes");
        const set = ["config", "set", "--path", "tradewind:controllers.replaceAfter", "20s", "--plaintext"];
        await cluster.pulumi(...set);
        await cluster.pulumi("up", "--yes", "--skip-preview");
        await isStill();
    });
    after(() => cluster.destroy());

    it("has the stack's own controllers, and nothing of a controller on candidates", async () => {
        await untilControllersAre(cluster, [0, 1, 2].map(controller));
        for (const index of [0, 1, 2]) assert.deepEqual(await leftOn(cluster, candidate(index)), []);
    });

    it("makes a candidate a controller on request, in addition to the others, and the stack leaves it one", async () => {
        await countObjects(cluster, "a promotion", async () => {
            await cluster.tradewind("promote", candidate(0));
            await untilControllersAre(cluster, [...[0, 1, 2].map(controller), candidate(0)]);
        });
        await isStill();
    });

    it("demotes the stack's own controller that leads etcd, leaves nothing of one on it, and up does not undo it", async () => {
        await leadEtcd(cluster, controller(1));
        assert.equal(await etcdLeader(cluster, controller(0)), controller(1));
        await countObjects(cluster, "a demotion", async () => {
            await cluster.tradewind("demote", controller(1));
            await untilControllersAre(cluster, [controller(0), controller(2), candidate(0)]);
        });
        assert.deepEqual(await leftOn(cluster, controller(1)), []);
        assert.equal((await rolesOf(cluster))[controller(1)]!.role, "candidate");
        await isStill();
        await cluster.pulumi("up", "--yes", "--skip-preview");
        await untilControllersAre(cluster, [controller(0), controller(2), candidate(0)]);
    });

    it("replaces the first controller, whose machine is killed, without a lost write", async () => {
        await untilCalm(cluster);
        await leadEtcd(cluster, controller(0));
        const count = await countObjects(cluster, "a controller lost, until there are three voters", async () => {
            const start = performance.now();
            await powerOff(cluster.name, controller(0));
            const areThree = () => threeVotersWithout(controller(0), cluster, controller(2));
            await eventually("three voters", areThree, goalSeconds);
            console.log(`      three voters after ${((performance.now() - start) / 1000).toFixed(0)} s`);
        });
        assert.ok(count.longestGap < 30_000, `${count.longestGap} ms without an acknowledged object`);
        // The demoted one was not chosen: an administrator excluded it.
        await eventually("the next candidate", async () => {
            assert.deepEqual(await controllersOf(cluster), [controller(2), candidate(0), candidate(1)].sort());
        });
        assert.equal((await rolesOf(cluster))[controller(0)]!.role, "leaving");
        await isStill();
    });

    it("cleans the killed machine up when it returns, and keeps it as a candidate", async () => {
        await powerOn(cluster.name, controller(0));
        await eventually(
            "the returned machine to be a candidate",
            async () => assert.equal((await rolesOf(cluster))[controller(0)]?.role, "candidate"),
            240,
        );
        assert.deepEqual(await leftOn(cluster, controller(0)), []);
        await untilControllersAre(cluster, [controller(2), candidate(0), candidate(1)]);
        await isStill();
    });

    it("gives the stack's own controllers their place back on request", async () => {
        await cluster.tradewind("promote", controller(1));
        await cluster.tradewind("promote", controller(0));
        await cluster.tradewind("demote", candidate(0));
        await cluster.tradewind("demote", candidate(1));
        await untilControllersAre(cluster, [0, 1, 2].map(controller), 300);
        for (const index of [0, 1]) assert.deepEqual(await leftOn(cluster, candidate(index)), []);
        await isStill();
    });
});
