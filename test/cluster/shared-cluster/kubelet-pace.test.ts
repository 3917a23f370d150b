import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { itLong } from "../../takes-long";
import { cordonedNodes, kubeletFlags } from "../node-sight";
import { controllerTargets } from "../rollout";
import { shared, sharedCluster } from "../shared";
import { underProber } from "../under-prober";

const controller = `${shared.name}-controller-0`;
const workers = [0, 1].map((index) => `${shared.name}-default-${index}`);
const set = (path: string, value: string | number) =>
    shared.pulumi("config", "set", "--path", `tradewind:${path}`, String(value), "--plaintext");

/** The maximum number of workers cordoned at the same time during a change. */
async function mostCordoned(act: () => Promise<unknown>): Promise<number> {
    const done = new AbortController();
    const seen: number[] = [];
    const look = async () => {
        while (!done.signal.aborted) {
            const cordoned = await cordonedNodes(shared);
            seen.push(cordoned.filter((node) => workers.includes(node)).length);
            await sleep(200);
        }
    };
    const looks = look();
    await act().finally(() => done.abort());
    await looks;
    return Math.max(...seen);
}

describe("the number of kubelets of a pool that change at the same time", function () {
    this.timeout(900_000);

    before(async function () {
        this.timeout(600_000);
        await sharedCluster();
    });

    for (const [maxUnavailable, verbosity] of [
        [2, 1],
        [1, 3],
    ] as const) {
        itLong(`is ${maxUnavailable} if that many nodes of the pool may be unavailable`, async () => {
            await set("workerPools[0].maxUnavailable", maxUnavailable);
            await set("components.kubelet.v", verbosity);
            let most = 0;
            await underProber(
                shared,
                `another flag of kubelets, ${maxUnavailable} at a time`,
                () => controllerTargets(shared, controller),
                async () => {
                    most = await mostCordoned(() => shared.pulumi("up", "--yes", "--skip-preview"));
                },
            );
            assert.equal(most, maxUnavailable);
            for (const node of workers) {
                assert.ok((await kubeletFlags(shared, node)).includes(`--v=${verbosity}`), node);
            }
            assert.deepEqual(await cordonedNodes(shared), []);
        });
    }
});
