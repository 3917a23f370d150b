import assert from "node:assert/strict";
import { ensure } from "../../../artifacts";
import { minorOf, minorsBetween } from "../../../cluster/upgrades/version";
import { KUBERNETES_VERSIONS } from "../../../versions";
import { describeLong } from "../../takes-long";
import { finished, TestCluster } from "../cluster";
import { by, runThrough } from "../interrupt";
import { controllerTargets, loadBalancerTargets } from "../rollout";
import { allAre, underProber } from "../under-prober";
import { unreadable } from "../unreadable";

const oldest = KUBERNETES_VERSIONS.at(-1)!;
const newest = KUBERNETES_VERSIONS[0]!;
const minors = minorsBetween(oldest, newest);
const LIMIT_MS = 600_000;

/** This release must have a version in between. */
const describeIf = minors.length > 2 ? describeLong : describe.skip;

for (const [name, count] of [
    ["skip", 1],
    ["skips", 3],
] as const) {
    const cluster = new TestCluster(name);
    const set = (key: string, value: string) => cluster.pulumi("config", "set", key, value);

    describeIf(
        `a cluster of ${count === 1 ? "one controller" : `${count} controllers`} that skips minor versions`,
        function () {
            this.timeout(1_500_000);

            before(async () => {
                await ensure({ kubernetes: [oldest, newest], say: () => {} });
                const size = ["--controllers", String(count), "--workers", "1"];
                await finished(cluster.spawnStart(...size, "--kubernetes", oldest, "--yes"));
            });
            after(() => cluster.destroy());

            const targets = () =>
                count === 1 ? controllerTargets(cluster, `${name}-controller-0`) : loadBalancerTargets(cluster);
            const changes = (what: string, act: () => Promise<unknown>) => underProber(cluster, what, targets, act);
            const up = () => cluster.pulumi("up", "--yes", "--skip-preview");
            const isAt = async (version: string) => {
                await allAre(cluster, version, count + 1);
                assert.match(await cluster.kubectl("version"), new RegExp(`Server Version: v${version}`));
                assert.deepEqual(await unreadable(cluster), []);
                await cluster.pulumi("preview", "--expect-no-changes");
            };

            it("is refused without a way back", async () => {
                await set("kubernetesVersion", newest);
                const wayBack = `minor versions cannot be skipped without rollbackTo: "${minorOf(oldest)}"`;
                await assert.rejects(cluster.pulumi("preview"), new RegExp(wayBack));
            });

            it("fails no request, and shows its rollouts in the preview", async () => {
                await set("rollbackTo", minorOf(oldest));
                const { stdout } = await cluster.pulumi("preview");
                const [first, second] = minors;
                const shown = `rollouts on the way: kube-apiserver as ${first}, then kube-apiserver as ${second}, then kube-c`;
                assert.ok(stdout.includes(shown), stdout);
                await changes(`${oldest} to ${newest}`, up);
                await isAt(newest);
            });

            it("fails no request on its way back, and reads everything there", async () => {
                await set("kubernetesVersion", oldest);
                await changes(`${newest} back to ${oldest}`, up);
                await isAt(oldest);
            });

            it("may be interrupted in between, and taken back from there", async () => {
                await set("kubernetesVersion", newest);
                const at = new RegExp(`kube-apiserver as ${minors[1]}: done`);
                await changes(`interrupted on the way to ${newest}`, async () => {
                    const { output } = await runThrough(
                        cluster.spawnStart("--yes"),
                        [{ at, act: by("SIGINT") }],
                        LIMIT_MS,
                    );
                    assert.match(output, /run the same command again to resume/);
                    await set("kubernetesVersion", oldest);
                    await up();
                });
                await isAt(oldest);
            });

            it("may be interrupted in between, and goes on from there", async () => {
                await set("kubernetesVersion", newest);
                const at = new RegExp(`kube-scheduler as ${minors[1]}: done`);
                await changes(`interrupted on the way to ${newest}`, async () => {
                    await runThrough(cluster.spawnStart("--yes"), [{ at, act: by("SIGKILL") }], LIMIT_MS);
                    await finished(cluster.spawnStart("--yes"));
                });
                await isAt(newest);
            });
        },
    );
}
