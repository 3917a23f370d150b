import assert from "node:assert/strict";
import { powerCut, reboot } from "../../../machines";
import { itTakesLong } from "../../takes-long";
import { eventually } from "../cluster";
import { countObjects } from "../count-objects";
import { type Runner, untilRunBy } from "../etcd-runner";
import { describeTallies, Prober } from "../prober";
import { controllerTargets } from "../rollout";
import { shared, sharedCluster } from "../shared";

const controller = `${shared.name}-controller-0`;
const pods = ["-n", "kube-system", "pods", "-l", "k8s-app=etcd-pod"];
const counted = (what: string, act: () => Promise<unknown>) => countObjects(shared, what, act);
const up = () => shared.pulumi("up", "--yes", "--skip-preview");

const commandLine = () => shared.exec(controller, "tr '\\0' ' ' </proc/$(pgrep -x etcd)/cmdline");

const timed = (what: string, expected: Runner, seconds?: number) =>
    untilRunBy(shared, controller, what, expected, seconds);

describe("a member of etcd that is a pod", function () {
    this.timeout(1_800_000);

    before(() => sharedCluster());

    itTakesLong(
        "comes and goes by an up, is the machine's own when it ends, and loses nothing that was acknowledged",
        async () => {
            const prober = new Prober(await controllerTargets(shared, controller), 1_700);
            await shared.pulumi("config", "set", "--path", "tradewind:selfHosted.etcd", "true");
            try {
                await counted("to the level", up);
                await timed("the pod has the member", "etcd-pod");
                await shared.pulumi("preview", "--expect-no-changes");

                await counted("etcd killed", async () => {
                    const killed = await shared.exec(controller, "pgrep -x etcd; pkill -KILL -x etcd");
                    // The machine's own has it in between, for less than it takes to look, where the kubelet is quick.
                    await timed("the pod has it again", "etcd-pod");
                    assert.notEqual(await shared.exec(controller, "pgrep -x etcd"), killed);
                });
                await counted("the pod deleted", async () => {
                    await shared.kubectl("delete", ...pods);
                    await timed("another pod has it", "etcd-pod");
                });

                await shared.pulumi("config", "set", "--path", "tradewind:components.etcd.heartbeat-interval", "120");
                await counted("another flag", up);
                await timed("the pod has it with another flag", "etcd-pod");
                assert.match(await commandLine(), / --heartbeat-interval=120( |$)/);
                const tallies = await prober.stop();
                console.log(`      ${describeTallies(tallies)}`);

                for (const [what, fault] of Object.entries({ "a power cut": powerCut, "a reboot": reboot })) {
                    await fault(shared.name, controller);
                    await timed(`the pod has it after ${what}`, "etcd-pod", 300);
                }
                await eventually("the cluster", () => shared.pulumi("preview", "--expect-no-changes"), 300);
            } finally {
                await prober.stop().catch(() => {});
                await shared.pulumi("config", "rm", "tradewind:selfHosted");
                await shared.pulumi("config", "rm", "--path", "tradewind:components.etcd").catch(() => {});
                await counted("from the level", up);
            }
            await timed("no pod has it", "");
            await shared.pulumi("preview", "--expect-no-changes");
        },
    );
});
