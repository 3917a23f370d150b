import assert from "node:assert/strict";
import {
    type GuardReport,
    guardedPrograms,
    guardRecord,
    type UpgradeRecord,
} from "../../../agents/upgrade-guard/record";
import { ensure } from "../../../artifacts";
import { type Fault, faultNames, faultyImage, faultyImages } from "../../../artifacts/test-recipes";
import type { DaemonSet } from "../../../clients/kubernetes/objects";
import { PREVIOUS_MINOR, versions } from "../../../versions";
import { describeLong } from "../../takes-long";
import { ApiLoad, noisyNeighbour } from "../api-load";
import { eventually, finished, type KubernetesObject, TestCluster } from "../cluster";
import { controllerTargets, loadBalancerTargets } from "../rollout";
import { allAre } from "../under-prober";

const from = PREVIOUS_MINOR;
const to = versions.kubernetes;

/** How many healthy upgrades must pass in a row: one, or `TRADEWIND_HEALTHY_UPGRADES`, such as 20. */
const healthyUpgrades = Number(process.env.TRADEWIND_HEALTHY_UPGRADES ?? 1);

/** Long enough for a fault that begins after the rollouts, and for watches to add up. */
const soak = "3m";
/** Until a guard has measured for long enough to compare. */
const baselineSeconds = 60;
const takenBackSeconds = 60;

interface Pod extends KubernetesObject {
    readonly metadata: KubernetesObject["metadata"] & { readonly uid: string };
    readonly status: { readonly startTime?: string };
}

const sentence = new RegExp(
    `the upgrade guard (took|is taking) Kubernetes ${to} back to ${from}: .+ became .+ \\(before: .+, limit: .+\\) at 2`,
);

for (const [name, count, faults] of [
    ["guard", 1, faultNames],
    ["guards", 3, ["refuse-writes"]],
] as const satisfies readonly (readonly [string, number, readonly Fault[]])[]) {
    const cluster = new TestCluster(name);
    const set = (path: string, value: string) =>
        cluster.pulumi("config", "set", "--path", `tradewind:${path}`, value, "--plaintext");
    const unset = (path: string) => cluster.pulumi("config", "rm", "--path", `tradewind:${path}`);
    const up = () => cluster.pulumi("up", "--yes", "--skip-preview");
    const target = async () =>
        (count === 1
            ? await controllerTargets(cluster, `${name}-controller-0`)
            : await loadBalancerTargets(cluster))[0]!;

    const guarded = async (): Promise<{ record: UpgradeRecord; report: GuardReport }> => {
        const { data } = await cluster.get<{ data: Record<string, string> }>(
            ...["-n", "kube-system", "configmap", guardRecord.name],
        );
        const [record, report] = [guardRecord.upgradeKey, guardRecord.reportKey].map((key) => JSON.parse(data[key]!));
        assert.equal(report.id, record.id);
        return { record, report };
    };
    const pods = async (selector: string) =>
        (await cluster.get<{ items: Pod[] }>("-n", "kube-system", "pods", "-l", selector)).items;
    const controlPlane = async () =>
        (await pods(`k8s-app in (${guardedPrograms.join(",")})`)).map(({ metadata }) => metadata.uid).sort();

    /** Asserts that the control plane runs the version, and that all of its pods are Ready. */
    const runs = async (version: string) => {
        for (const program of guardedPrograms) {
            const { spec, status } = await cluster.get<DaemonSet>("-n", "kube-system", "daemonset", program);
            assert.match(spec!.template.spec.containers[0]!.image!, new RegExp(`/${program}:v${version}(@|$)`));
            assert.equal(status!.updatedNumberScheduled, count, program);
            assert.equal(status!.numberReady, count, program);
        }
        assert.match(await cluster.kubectl("version"), new RegExp(`Server Version: v${version}`));
    };
    const hasBaseline = () =>
        eventually(
            "a guard that has measured for long enough on each controller",
            async () => {
                const guards = await pods("k8s-app=upgrade-guard");
                assert.equal(guards.length, count);
                for (const { metadata, status } of guards) {
                    const seconds = (Date.now() - Date.parse(status.startTime ?? "")) / 1000;
                    assert.ok(seconds > baselineSeconds, `${metadata.name} for ${seconds} s`);
                }
            },
            5 * baselineSeconds,
        );

    describeLong(`an upgrade of ${count === 1 ? "one controller" : `${count} controllers`}, guarded`, function () {
        this.timeout(1_500_000);
        let load: ApiLoad;

        before(async function () {
            this.timeout(3_600_000);
            await ensure({ only: [faultyImages], say: () => {} });
            await finished(
                cluster.spawnStart("--controllers", String(count), "--workers", "0", "--kubernetes", from, "--yes"),
            );
            await set("upgradeGuard.soak", soak);
            await up();
            load = new ApiLoad(await target());
            await hasBaseline();
        });
        after(async () => {
            await load?.stop();
            await cluster.destroy();
        });

        for (const fault of faults) {
            describe(`to a kube-apiserver with the fault ${fault}`, () => {
                it("fails, and is taken back within a minute of the breach", async () => {
                    await set("kubernetesVersion", to);
                    await set("images.kubeApiserver", faultyImage(fault));
                    // The guard has taken back this version before.
                    await set("upgradeOverrides[0]", "guard");
                    await assert.rejects(up(), sentence);
                    const report = await eventually("a control plane that is taken back", async () => {
                        const { report } = await guarded();
                        assert.equal(report.state, "rolled-back");
                        return report;
                    });
                    const { what, before, after, limit, at } = report.breach!;
                    const seconds = (Date.parse(report.since) - Date.parse(at)) / 1000;
                    const numbers = `${what}: ${before} before, ${after} after, limit ${limit}`;
                    console.log(`      ${fault}: ${numbers}; taken back in ${seconds.toFixed(0)} s`);
                    assert.ok(seconds <= takenBackSeconds, `${seconds} s`);
                    await runs(from);
                });

                it("is refused by the next preview, with the reason", async () => {
                    await unset("upgradeOverrides");
                    await assert.rejects(cluster.pulumi("preview"), sentence);
                });

                it("leaves nothing to do for the earlier version", async () => {
                    await set("kubernetesVersion", from);
                    await unset("images.kubeApiserver");
                    const before = await controlPlane();
                    await up();
                    await cluster.pulumi("preview", "--expect-no-changes");
                    assert.deepEqual(await controlPlane(), before);
                    await runs(from);
                    assert.match((await cluster.tradewind("status")).stdout, /the upgrade guard took Kubernetes/i);
                });
            });
        }

        // In a group of its own: mocha would run it before the other groups.
        describe("without a fault", () => {
            it(`is never taken back, under load and next to a noisy neighbour: ${healthyUpgrades} times`, async function () {
                this.timeout(healthyUpgrades * 1_500_000);
                await cluster.apply(noisyNeighbour());
                for (let run = 1; run <= healthyUpgrades; run++) {
                    await set("kubernetesVersion", to);
                    await set("upgradeOverrides[0]", "guard");
                    const { stdout } = await up();
                    const { report } = await guarded();
                    console.log(`      run ${run}: ${report.state}`);
                    assert.equal(report.state, "passed", stdout);
                    await allAre(cluster, to, count);
                    await runs(to);
                    if (run < healthyUpgrades) {
                        await set("kubernetesVersion", from);
                        await up();
                        await allAre(cluster, from, count);
                    }
                }
            });
        });
    });
}
