import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { isReady } from "../../../clients/kubernetes/objects";
import { isOver } from "../../../local/pods";
import { powerCut, reboot } from "../../../machines";
import { eventually } from "../cluster";
import { describeTallies, Prober, type Target } from "../prober";
import { loadBalancerTargets } from "../rollout";
import { shared, sharedCluster } from "../shared";

const controller = `${shared.name}-controller-0`;
const worker = `${shared.name}-default-0`;
const components = ["kube-apiserver", "kube-controller-manager", "kube-scheduler"];
const manifests = "/etc/kubernetes/manifests";

interface Pod {
    readonly metadata: { readonly name: string; readonly labels?: Record<string, string> };
    readonly status: { readonly phase: string; readonly conditions?: { type: string; status: string }[] };
}

/** The pods of kube-system, without completed ones, such as a Job's. */
const pods = async () =>
    (await shared.get<{ items: Pod[] }>("pods", "-n", "kube-system")).items.filter(({ status }) => !isOver(status));
const isOf = (component: string) => (pod: Pod) => pod.metadata.labels?.["k8s-app"] === component;
const files = () => shared.exec(controller, `ls ${manifests}`);

/** Seconds since a fault. */
function stopwatch(): () => number {
    const start = performance.now();
    return () => Math.round((performance.now() - start) / 100) / 10;
}

/** Waits until the API responds. */
async function apiAnswers(): Promise<void> {
    await eventually("the API", () => shared.kubectl("get", "--raw", "/readyz", "--request-timeout=2s"), 120);
}

/** Waits until the control plane runs from the API's pods again, without a copy, and everything is Ready. */
async function isWhole(): Promise<void> {
    await eventually(
        "the whole control plane",
        async () => {
            const all = await pods();
            const desired = ["etcd.json", "checkpoint-kube-system.checkpointer.json"].sort().join("\n");
            assert.equal((await files()).trim(), desired);
            for (const component of [...components, "checkpointer"]) {
                const own = all.filter(isOf(component));
                assert.ok(own.length > 0 && own.every(({ status }) => isReady(status)), `${component} is Ready`);
            }
            assert.deepEqual(
                all.filter((pod) => !isReady(pod.status)).map(({ metadata }) => metadata.name),
                [],
            );
        },
        180,
    );
}

/** Components that have run from a copy since. Read from the kubelet: the API may miss a short-lived one. */
async function copiesSince(since: Date): Promise<string[]> {
    const started = 'Observed pod startup duration" pod="kube-system/checkpoint-';
    const log = await shared.exec(
        controller,
        `journalctl --quiet --unit kubelet --since @${Math.floor(since.getTime() / 1000)} | grep -F '${started}'`,
    );
    return components.filter((component) => log.includes(`${started}${component}-${controller}"`));
}

describe("the only controller", function () {
    this.timeout(300_000);
    let targets: Target[];

    before(async function () {
        this.timeout(600_000);
        await sharedCluster();
        targets = await loadBalancerTargets(shared);
        await isWhole();
    });

    it("recovers on its own from a power cut, and fails no request when its pods take over from their copies", async () => {
        await shared.kubectl("create", "configmap", "written", "--from-literal=before=it");
        const cut = new Date();
        const seconds = stopwatch();
        await powerCut(shared.name, controller);
        const booted = seconds();
        await apiAnswers();
        const answered = seconds();
        const prober = new Prober(targets, 180);
        await isWhole();
        const whole = seconds();
        // The last copy drains.
        await sleep(15_000);
        const tallies = await prober.stop();
        console.log(`      booted in ${booted} s, API after ${answered} s, healthy after ${whole} s`);
        console.log(`      ${describeTallies(tallies)}`);
        // The others only run if the kubelet is slower than the checkpointer to run their pods.
        assert.ok((await copiesSince(cut)).includes("kube-apiserver"), "its copy ran");
        assert.ok(tallies.new.requests > 20);
        for (const kind of ["new", "http2", "watch"] as const) assert.deepEqual(tallies[kind].failures, [], kind);
        await shared.kubectl("delete", "configmap", "written");
    });

    it("recovers from a reboot, and a worker from a power cut", async () => {
        const seconds = stopwatch();
        const rebooted = reboot(shared.name, controller);
        await powerCut(shared.name, worker);
        await rebooted;
        const booted = seconds();
        await apiAnswers();
        const answered = seconds();
        await isWhole();
        console.log(`      booted in ${booted} s, API after ${answered} s, healthy after ${seconds()} s`);
    });

    it("recreates its control plane when all of it is deleted at once", async () => {
        const before = (await pods()).filter((pod) => components.some((component) => isOf(component)(pod)));
        const names = before.map(({ metadata }) => `pod/${metadata.name}`);
        const seconds = stopwatch();
        await shared.kubectl("-n", "kube-system", "delete", "--wait=false", ...names);
        await eventually("the old pods to end", async () => {
            const there = (await pods()).map(({ metadata }) => `pod/${metadata.name}`);
            assert.deepEqual(
                names.filter((name) => there.includes(name)),
                [],
            );
        });
        await isWhole();
        console.log(`      healthy after ${seconds()} s`);
    });
});
