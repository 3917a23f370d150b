import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { readText } from "../cluster";
import { probeTargets } from "../probe-targets";
import { describeTallies, Prober } from "../prober";
import { shared, sharedCluster } from "../shared";

/** How many rollouts, and how many requests at least. */
const rollouts = 10;
const enough = 20_000;

const controllerAddress = async () => {
    const { status } = await shared.get<{ status: { addresses: { type: string; address: string }[] } }>(
        "node",
        "test-controller-0",
    );
    return status.addresses.find(({ type }) => type === "InternalIP")!.address;
};

describe("rollouts of the only apiserver", function () {
    this.timeout(180_000);

    before(async function () {
        this.timeout(600_000);
        await sharedCluster();
    });

    it(`lose no request in ${rollouts} of them, over new connections, HTTP/2 and watches`, async function () {
        this.timeout(900_000);
        const kubectl = (...args: string[]) => shared.kubectl(...args);
        const targets = await probeTargets(await controllerAddress(), readText(shared.kubeconfig), kubectl);
        const prober = new Prober(targets, 800);
        const flag = "tradewind:components.kubeApiserver.v";
        for (let level = 1; level <= rollouts; level++) {
            await shared.pulumi("config", "set", "--path", flag, String(level % 2), "--plaintext");
            const { stdout } = await shared.pulumi("up", "--yes", "--skip-preview");
            assert.match(stdout, /~ 1 updated/);
        }
        // The last generation drains, and a fast machine may need a few more requests.
        await sleep(20_000);
        const tallies = await prober.stop();
        console.log(`      ${describeTallies(tallies)}`);
        const counted = [tallies.new, tallies.http2, tallies.watch];
        assert.deepEqual(
            counted.flatMap(({ failures }) => failures),
            [],
        );
        const requests = counted.reduce((sum, tally) => sum + tally.requests, 0);
        assert(requests >= enough, `at least ${enough} requests, got ${requests}`);
    });

    after(async () => {
        await shared.pulumi("config", "rm", "--path", "tradewind:components");
        await shared.pulumi("up", "--yes", "--skip-preview");
    });
});
