import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { readText } from "../cluster";
import { probeTargets } from "../probe-targets";
import { describeTallies, Prober } from "../prober";
import { shared, sharedCluster } from "../shared";

/** Rollouts come in rounds: two, and as many more as it takes for enough requests, of which a busy machine makes fewer. */
const rolloutsInRound = 5;
const leastRounds = 2;
const mostRounds = 4;
const enough = 20_000;

const controllerAddress = async () => {
    const { status } = await shared.get<{ status: { addresses: { type: string; address: string }[] } }>(
        "node",
        "test-controller-0",
    );
    return status.addresses.find(({ type }) => type === "InternalIP")!.address;
};

async function rollOut(level: number): Promise<void> {
    await shared.pulumi(
        "config",
        "set",
        "--path",
        "tradewind:components.kubeApiserver.v",
        String(level % 2),
        "--plaintext",
    );
    const { stdout } = await shared.pulumi("up", "--yes", "--skip-preview");
    assert.match(stdout, /~ 1 updated/);
}

describe("rollouts of the only apiserver", function () {
    this.timeout(180_000);

    before(async function () {
        this.timeout(600_000);
        await sharedCluster();
    });

    it("lose no request in ten of them, over new connections, HTTP/2 and watches", async function () {
        this.timeout(1_200_000);
        const kubectl = (...args: string[]) => shared.kubectl(...args);
        const targets = await probeTargets(await controllerAddress(), readText(shared.kubeconfig), kubectl);
        let requests = 0;
        for (let round = 0; round < leastRounds || (requests < enough && round < mostRounds); round++) {
            const prober = new Prober(targets, 600);
            for (let level = 1; level <= rolloutsInRound; level++) {
                await rollOut(round * rolloutsInRound + level);
            }
            // The last generation drains.
            await sleep(15_000);
            const tallies = await prober.stop();
            console.log(`      ${describeTallies(tallies)}`);
            const counted = [tallies.new, tallies.http2, tallies.watch];
            assert.deepEqual(
                counted.flatMap(({ failures }) => failures),
                [],
            );
            requests += counted.reduce((sum, tally) => sum + tally.requests, 0);
        }
        assert(requests >= enough, `at least ${enough} requests, got ${requests}`);
    });

    after(async () => {
        await shared.pulumi("config", "rm", "--path", "tradewind:components");
        await shared.pulumi("up", "--yes", "--skip-preview");
    });
});
