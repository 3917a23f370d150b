import assert from "node:assert/strict";
import { powerCut } from "../../../machines";
import { versions } from "../../../versions";
import { describeLong } from "../../takes-long";
import { issuedToKubelets, restartReaders, takeKubeconfig, wantAuthorities } from "../authority-steps";
import { eventually, finished, TestCluster } from "../cluster";
import { etcdMembers } from "../etcd-roll";
import { ctrlC, runThrough } from "../interrupt";
import { loadBalancerTargets } from "../rollout";
import { allAre, underProber } from "../under-prober";

const cluster = new TestCluster("authorities");
const controllers = [0, 1, 2].map((index) => `${cluster.name}-controller-${index}`);
const upOptions = ["up", "--yes", "--skip-preview"] as const;
const up = () => cluster.pulumi(...upOptions);
const lose = (what: string, act: () => Promise<unknown>) =>
    underProber(cluster, what, () => loadBalancerTargets(cluster), act);
/** The output of Pulumi's own CLI when it starts with kube-apiserver. */
const apiserver = /daemonset\/kube-system\/kube-apiserver\S* updating/;
const LIMIT_MS = 400_000;

// For one controller see `shared-cluster/kubernetes-authority.test.ts`.
describeLong("a rotation of the Kubernetes CA of three controllers", function () {
    this.timeout(1_200_000);

    before(() => finished(cluster.spawnStart("--controllers", "3", "--workers", "0", "--yes")));
    after(() => cluster.destroy());

    it("adds the new CA without a failed request, although Ctrl-C interrupts the first up of Pulumi's own CLI", async () => {
        await wantAuthorities(cluster, 1, 2);
        await lose("a second CA is trusted, interrupted at kube-apiserver and completed", async () => {
            const { exitCode } = await runThrough(spawnUp(), [{ at: apiserver, act: ctrlC }], LIMIT_MS);
            assert.notEqual(exitCode, 0);
            await up();
        });
        await takeKubeconfig(cluster);
        await cluster.pulumi("preview", "--expect-no-changes");
    });

    it("makes it issue, and then the only one, without a failed request", async () => {
        await wantAuthorities(cluster, 2, 1);
        await restartReaders(cluster);
        await lose("it issues", up);
        await takeKubeconfig(cluster);
        const second = "kubernetes-ca-2";
        assert.deepEqual(await issuedToKubelets(cluster, controllers), [second, second, second]);
        await wantAuthorities(cluster, 2);
        await lose("the first is distrusted", up);
        await takeKubeconfig(cluster);
        await cluster.pulumi("preview", "--expect-no-changes");
    });

    // Requests of the machine itself are lost with it.
    it("leaves a healthy cluster after an up during which one controller loses power", async () => {
        for (const component of ["kubeApiserver", "kubeScheduler"])
            await cluster.pulumi("config", "set", "--path", `tradewind:components.${component}.v`, "1", "--plaintext");
        const cut = () => powerCut(cluster.name, controllers[1]!);
        const { exitCode } = await runThrough(spawnUp(), [{ at: apiserver, act: cut }], LIMIT_MS);
        console.log(`      the up in which it loses power ${exitCode === 0 ? "succeeds" : `fails (${exitCode})`}`);
        if (exitCode !== 0) await up();
        await eventually("the whole cluster", () => cluster.tradewind("status"), 180);
        assert.deepEqual(await etcdMembers(cluster, controllers[0]!), controllers);
        await allAre(cluster, versions.kubernetes, 3);
        await cluster.pulumi("preview", "--expect-no-changes");
    });
});

const spawnUp = () => cluster.spawnPulumi(...upOptions);
