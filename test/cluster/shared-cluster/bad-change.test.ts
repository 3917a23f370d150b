import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { describeTallies, Prober } from "../prober";
import { loadBalancerTargets } from "../rollout";
import { shared, sharedCluster } from "../shared";

const set = (path: string, value: string) =>
    shared.pulumi("config", "set", "--path", `tradewind:${path}`, value, "--plaintext");
const up = () => shared.pulumi("up", "--yes", "--skip-preview");

/** Does something under continuous requests, none of which may fail. */
async function unnoticed(seconds: number, act: () => Promise<void>): Promise<void> {
    const prober = new Prober(await loadBalancerTargets(shared), seconds);
    try {
        await act();
        // The last generation drains.
        await sleep(15_000);
    } finally {
        const tallies = await prober.stop();
        console.log(`      ${describeTallies(tallies)}`);
        for (const kind of ["new", "http2", "watch"] as const) assert.deepEqual(tallies[kind].failures, [], kind);
        assert.ok(tallies.new.requests > 20);
    }
}

/** Asserts that an `up` fails with the logs of some components' pods, and mentions no others. */
async function failsBy(guilty: readonly string[], innocent: readonly string[]): Promise<void> {
    const start = performance.now();
    const error: Error = await up().then(
        () => assert.fail("up succeeded"),
        (reason) => reason,
    );
    console.log(`      up failed after ${((performance.now() - start) / 1000).toFixed(0)} s`);
    const wordsOf = (component: string) =>
        new RegExp(
            `pod "${component}-\\w+" on node "[\\w-]+", container "${component}": .*invalid argument "loud" for "-v, --v"`,
            "s",
        );
    for (const component of guilty) assert.match(error.message, wordsOf(component));
    for (const component of innocent) assert.doesNotMatch(error.message, wordsOf(component));
}

describe("a bad change of the control plane", function () {
    this.timeout(300_000);

    before(async function () {
        this.timeout(600_000);
        await sharedCluster();
    });

    it("is reported by up with its pods' logs and ends the rollout, while the old ones keep serving", async () => {
        await unnoticed(240, async () => {
            await set("rolloutTimeout", "30s");
            for (const component of ["kubeApiserver", "kubeControllerManager", "kubeScheduler"]) {
                await set(`components.${component}.v`, "loud");
            }
            // Nothing after the first failed step is even started.
            await failsBy(["kube-apiserver"], ["kube-controller-manager", "kube-scheduler"]);
            if (process.env.TRADEWIND_LONG_TESTS === "1") {
                await shared.pulumi("config", "rm", "--path", "tradewind:components.kubeApiserver");
                await failsBy(["kube-controller-manager", "kube-scheduler"], ["kube-apiserver"]);
            }
            await shared.pulumi("config", "rm", "--path", "tradewind:components");
            await up();
            await shared.pulumi("preview", "--expect-no-changes");
        });
    });

    after(async () => {
        await shared.pulumi("config", "rm", "tradewind:rolloutTimeout");
    });
});
