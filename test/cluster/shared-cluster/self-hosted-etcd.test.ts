import assert from "node:assert/strict";
import { powerCut, reboot } from "../../../machines";
import { itLong } from "../../takes-long";
import { eventually } from "../cluster";
import { countObjects } from "../count-objects";
import { type Runner, untilRunBy } from "../etcd-runner";
import { describeTallies, Prober, type Target } from "../prober";
import { controllerTargets, likeKubernetes } from "../rollout";
import { shared, sharedCluster } from "../shared";

const controller = `${shared.name}-controller-0`;
const pods = ["-n", "kube-system", "pods", "-l", "k8s-app=etcd-pod"];
const up = () => shared.pulumi("up", "--yes", "--skip-preview");

const commandLine = () => shared.exec(controller, "tr '\\0' ' ' </proc/$(pgrep -x etcd)/cmdline");

const timed = (what: string, expected: Runner, seconds?: number) =>
    untilRunBy(shared, controller, what, expected, seconds);

/** What a hand-over may cost at most. */
interface Bound {
    /** Between two writes that were acknowledged, and two requests that were answered. */
    readonly seconds: number;
    /** Writes that fail, of five in a second. */
    readonly writes: number;
    /** Requests and watches that fail, of about fifty in a second. */
    readonly requests: number;
}

/** Far over what docs/levels.md has, two seconds as a rule and ten at most, so that a computer which is busy with other things is none. */
const handOver: Bound = { seconds: 45, writes: 60, requests: 1_500 };
/** With another flag the kubelet lets the static pod wait that has ended before: two minutes (docs/upgrades.md#etcd). */
const otherFlag: Bound = { seconds: 180, writes: 400, requests: 4_000 };

/** Does something while clients write and ask, and holds what that cost them against the bound. */
async function within(bound: Bound, what: string, targets: readonly Target[], act: () => Promise<unknown>) {
    const prober = new Prober(targets, 900);
    const stopped = () => prober.stop();
    const count = await countObjects(shared, what, act).catch((error) => stopped().then(() => Promise.reject(error)));
    const tallies = await stopped();
    console.log(`      ${describeTallies(tallies)}`);
    // A watch is answered when it ends, which takes its time.
    const gaps = [count.longestGap, tallies.new.longestGap, tallies.http2.longestGap];
    const failed = likeKubernetes(tallies).reduce((sum, { failures }) => sum + failures.length, 0);
    assert.ok(Math.max(...gaps) <= 1000 * bound.seconds, `${what}: at most ${bound.seconds} s, got ${gaps} ms`);
    assert.ok(count.failures.length <= bound.writes, `${what}: ${count.failures.length} writes failed`);
    assert.ok(failed <= bound.requests, `${what}: ${failed} requests and watches failed`);
}

describe("a member of etcd that is a pod", function () {
    this.timeout(1_800_000);

    before(() => sharedCluster());

    itLong(
        "comes and goes by an up, is the machine's own when it ends, and loses nothing that was acknowledged",
        async () => {
            const targets = await controllerTargets(shared, controller);
            const back = async () => {
                await shared.pulumi("config", "rm", "tradewind:selfHosted").catch(() => {});
                await shared.pulumi("config", "rm", "--path", "tradewind:components.etcd").catch(() => {});
                await up();
            };
            let isBack = false;
            await shared.pulumi("config", "set", "--path", "tradewind:selfHosted.etcd", "true");
            try {
                await within(handOver, "to the level", targets, async () => {
                    await up();
                    await timed("the pod has the member", "etcd-pod");
                });
                await shared.pulumi("preview", "--expect-no-changes");

                await within(handOver, "etcd killed", targets, async () => {
                    const killed = await shared.exec(controller, "pgrep -x etcd; pkill -KILL -x etcd");
                    // The machine's own has it in between, for less than it takes to look, where the kubelet is quick.
                    await timed("the pod has it again", "etcd-pod");
                    assert.notEqual(await shared.exec(controller, "pgrep -x etcd"), killed);
                });
                await within(handOver, "the pod deleted", targets, async () => {
                    await shared.kubectl("delete", ...pods);
                    await timed("another pod has it", "etcd-pod");
                });

                await shared.pulumi("config", "set", "--path", "tradewind:components.etcd.heartbeat-interval", "120");
                await within(otherFlag, "another flag", targets, async () => {
                    await up();
                    await timed("the pod has it with another flag", "etcd-pod");
                });
                assert.match(await commandLine(), / --heartbeat-interval=120( |$)/);

                // The only controller is away then, whoever has the member.
                for (const [what, fault] of Object.entries({ "a power cut": powerCut, "a reboot": reboot })) {
                    await fault(shared.name, controller);
                    await timed(`the pod has it after ${what}`, "etcd-pod", 300);
                }
                await eventually("the cluster", () => shared.pulumi("preview", "--expect-no-changes"), 300);
                // The flag goes with the level.
                await within(otherFlag, "from the level", targets, back);
                isBack = true;
            } finally {
                if (!isBack) await back();
            }
            await timed("no pod has it", "");
            await shared.pulumi("preview", "--expect-no-changes");
        },
    );
});
