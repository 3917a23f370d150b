import assert from "node:assert/strict";
import type { Sample } from "../../../agents/upgrade-guard/decide";
import {
    type GuardReport,
    guardedPrograms,
    guardRecord,
    type UpgradeRecord,
} from "../../../agents/upgrade-guard/record";
import { ensure } from "../../../artifacts";
import { type Fault, faultNames, faultyImage, faultyImages } from "../../../artifacts/test-recipes";
import type { DaemonSet } from "../../../clients/kubernetes/objects";
import { readableByAnnotation } from "../../../cluster/upgrades/rollback";
import { minorOf } from "../../../cluster/upgrades/version";
import { KUBERNETES_VERSIONS, PREVIOUS_MINOR, versions } from "../../../versions";
import { describeLong } from "../../takes-long";
import { ApiLoad, noisyNeighbour } from "../api-load";
import { eventually, finished, type KubernetesObject, TestCluster } from "../cluster";
import { countObjects } from "../count-objects";
import { controllerTargets, loadBalancerTargets } from "../rollout";
import { allAre } from "../under-prober";
import { unreadable } from "../unreadable";

const oldest = KUBERNETES_VERSIONS.at(-1)!;
const to = versions.kubernetes;

/** How many healthy upgrades must pass in a row: one, or `TRADEWIND_HEALTHY_UPGRADES`, such as 20. */
const healthyUpgrades = Number(process.env.TRADEWIND_HEALTHY_UPGRADES ?? 1);

/** Long enough for a fault that begins after the rollouts, and for watches to add up. */
const soak = "3m";
/** Until a guard has measured for long enough to compare. */
const baselineSeconds = 60;
/** Over several minor versions, each rollout is undone after the other. */
const takenBackSeconds = { one: 60, several: 150 };

interface Pod extends KubernetesObject {
    readonly metadata: KubernetesObject["metadata"] & { readonly uid: string };
    readonly status: { readonly startTime?: string };
}

/** A guard that has measured, as it keeps it on its machine. */
interface GuardState {
    readonly before: readonly Sample[];
}

for (const [name, count, from, faults] of [
    ["guard", 1, PREVIOUS_MINOR, faultNames],
    ["guards", 3, PREVIOUS_MINOR, ["refuse-writes"]],
    // Found on the way, at its end, and where nothing can be written any more.
    ["guard-minors", 1, oldest, ["slow", "leak-watches", "refuse-writes-later"]],
] as const satisfies readonly (readonly [string, number, string, readonly Fault[]])[]) {
    const isSeveral = from === oldest;
    const sentence = new RegExp(
        `the upgrade guard (took|is taking) Kubernetes ${to} back to ${from}: .+ became .+ \\(before: .+, limit: .+\\) at 2`,
    );
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

    const of = `${count === 1 ? "one controller" : `${count} controllers`}${isSeveral ? " over several minor versions" : ""}`;
    describeLong(`an upgrade of ${of}, guarded`, function () {
        this.timeout(1_500_000);
        const most = isSeveral ? takenBackSeconds.several : takenBackSeconds.one;
        let load: ApiLoad;

        before(async function () {
            this.timeout(3_600_000);
            await ensure({ kubernetes: [from, to], say: () => {} });
            await ensure({ only: [faultyImages], say: () => {} });
            await finished(
                cluster.spawnStart("--controllers", String(count), "--workers", "0", "--kubernetes", from, "--yes"),
            );
            await set("upgradeGuard.soak", soak);
            if (isSeveral) await set("rollbackTo", minorOf(from));
            await up();
            load = new ApiLoad(await target());
            await hasBaseline();
        });

        it("compares queues, too: the programs show their metrics to the guard", async () => {
            const isFound = new Set<string>();
            for (let index = 0; index < count; index++) {
                const path = "/var/lib/tradewind/upgrade-guard/state.json";
                const { before } = JSON.parse(
                    await cluster.exec(`${name}-controller-${index}`, `cat ${path}`),
                ) as GuardState;
                for (const program of Object.keys(before.at(-1)!.queues ?? {})) isFound.add(`${program} ${index}`);
            }
            assert.equal(isFound.size, 2 * count, [...isFound].join());
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
                    await countObjects(cluster, `to ${to} and back`, async () => {
                        await assert.rejects(up(), sentence);
                        await eventually(
                            "a control plane that is taken back",
                            async () => assert.equal((await guarded()).report.state, "rolled-back"),
                            2 * most,
                        );
                    });
                    const { report } = await guarded();
                    const { what, before, after, limit, at } = report.breach!;
                    const seconds = (Date.parse(report.since) - Date.parse(at)) / 1000;
                    const numbers = `${what}: ${before} before, ${after} after, limit ${limit}`;
                    console.log(`      ${fault}: ${numbers}; taken back in ${seconds.toFixed(0)} s`);
                    assert.ok(seconds <= most, `${seconds} s`);
                    await runs(from);
                    assert.deepEqual(await unreadable(cluster), []);
                    const { metadata } = await cluster.get("namespace", "kube-system");
                    assert.equal(metadata.annotations?.[readableByAnnotation], minorOf(from));
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
