import assert from "node:assert/strict";
import { isReady } from "../../../clients/kubernetes/objects";
import { versions } from "../../../versions";
import { itLong } from "../../takes-long";
import { cordonedNodes, eventsOf, kubeletFlags, type NodeObject } from "../node-sight";
import { controllerTargets } from "../rollout";
import { shared, sharedCluster } from "../shared";
import { allAre, underProber } from "../under-prober";

const controller = `${shared.name}-controller-0`;
const workers = [0, 1].map((index) => `${shared.name}-default-${index}`);
const set = (path: string, value: string) =>
    shared.pulumi("config", "set", "--path", `tradewind:${path}`, value, "--plaintext");
const up = () => shared.pulumi("up", "--yes", "--skip-preview");

/** A kubelet with this flag starts only where the folder exists. */
const folder = "/run/tradewind-test";
const flag = `--lock-file=${folder}/lock`;

const kubeletPids = () => Promise.all(workers.map((node) => shared.exec(node, "pgrep -x kubelet")));

describe("a kubelet that does not start", function () {
    this.timeout(1_200_000);

    before(async function () {
        this.timeout(600_000);
        await sharedCluster();
        await shared.exec(controller, `mkdir -p ${folder}`);
    });
    after(async () => {
        await shared.pulumi("config", "rm", "tradewind:rolloutTimeout").catch(() => {});
        await shared.exec(controller, `rm -r ${folder}`);
    });

    itLong("is reverted on the first worker, which stays cordoned, and stops the rollout", async () => {
        const pids = await kubeletPids();
        await underProber(
            shared,
            "a kubelet that fails",
            () => controllerTargets(shared, controller),
            async () => {
                // Per node: a worker's agent gives up after three minutes.
                await set("rolloutTimeout", "2m");
                await set("components.kubelet.lock-file", `${folder}/lock`);
                const start = performance.now();
                const error: Error = await up().then(
                    () => assert.fail("up succeeded"),
                    (reason) => reason,
                );
                console.log(`      up failed after ${((performance.now() - start) / 1000).toFixed(0)} s`);
                const cordoned = await cordonedNodes(shared);
                assert.equal(cordoned.length, 1, `one is cordoned (got ${cordoned})`);
                const [failed] = cordoned as [string];
                const untouched = workers.find((node) => node !== failed)!;
                assert.match(
                    error.message,
                    new RegExp(
                        `pod "node-agent-default-\\w+" on node "${failed}".*did not work within \\d+ s: ` +
                            "the kubelet is not healthy.*runs again",
                        "s",
                    ),
                );
                assert.doesNotMatch(error.message, new RegExp(`on node "(${controller}|${untouched})"`));

                const [event] = await eventsOf(shared, failed, "KubeletUpgradeFailed");
                console.log(`      ${event}`);
                assert.match(
                    event ?? "",
                    /did not work within \d+ s: .* runs again\. The node stays cordoned; delete its /,
                );
                // It runs the previous one, and is healthy.
                assert.ok(isReady((await shared.get<NodeObject>("node", failed)).status));
                assert.equal((await kubeletFlags(shared, controller)).includes(flag), true, "controllers were first");
                for (const node of workers)
                    assert.equal((await kubeletFlags(shared, node)).includes(flag), false, node);
                const after = await kubeletPids();
                assert.notEqual(after[workers.indexOf(failed)], pids[workers.indexOf(failed)]);
                assert.equal(after[workers.indexOf(untouched)], pids[workers.indexOf(untouched)], "it was not touched");
                assert.deepEqual(await eventsOf(shared, untouched, "KubeletUpgradeFailed"), []);

                await shared.pulumi("config", "rm", "--path", "tradewind:components.kubelet");
                await up();
            },
        );
        for (const node of [controller, ...workers]) {
            assert.equal((await kubeletFlags(shared, node)).includes(flag), false, node);
        }
        await allAre(shared, versions.kubernetes, 3);
        await shared.pulumi("config", "rm", "tradewind:rolloutTimeout");
        await shared.pulumi("preview", "--expect-no-changes");
    });
});
