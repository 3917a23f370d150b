import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { describeTallies, Prober } from "../prober";
import { controllerTargets, likeKubernetes, rollOut } from "../rollout";
import { shared, sharedCluster } from "../shared";

/** `npm run bench -- rollouts` makes ten, of at least 20 000 requests. */
const rollouts = 2;
const enough = 2_000;

describe("rollouts of the only apiserver", function () {
    this.timeout(180_000);

    before(async function () {
        this.timeout(600_000);
        await sharedCluster();
    });

    it("lose no request, over new connections, HTTP/2 and watches", async function () {
        this.timeout(900_000);
        const prober = new Prober(await controllerTargets(shared, "test-controller-0"), 800);
        for (let level = 1; level <= rollouts; level++) {
            await rollOut(shared, level % 2);
        }
        // The last generation drains.
        await sleep(15_000);
        const tallies = await prober.stop();
        console.log(`      ${describeTallies(tallies)}`);
        const counted = likeKubernetes(tallies);
        assert.deepEqual(
            counted.flatMap(({ failures }) => failures),
            [],
        );
        const requests = counted.reduce((sum, tally) => sum + tally.requests, 0);
        assert.ok(requests >= enough, `at least ${enough} requests, got ${requests}`);
    });

    after(async () => {
        await shared.pulumi("config", "rm", "--path", "tradewind:components");
        await shared.pulumi("up", "--yes", "--skip-preview");
    });
});
