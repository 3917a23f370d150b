import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { versions } from "../../../versions";
import { describeLong } from "../../takes-long";
import { eventually, finished, TestCluster } from "../cluster";
import { by, type Moment, runThrough } from "../interrupt";
import { buildPatches, newerPatch, olderPatch } from "../older-patch";
import { controllerTargets } from "../rollout";
import { allAre, underProber } from "../under-prober";

const cluster = new TestCluster("patch");
const controller = `${cluster.name}-controller-0`;
const worker = `${cluster.name}-default-0`;
const set = (path: string, value: string | number) =>
    cluster.pulumi("config", "set", "--path", `tradewind:${path}`, String(value), "--plaintext");
const LIMIT_MS = 300_000;
const at = (kind: string, name: string) => new RegExp(`${kind}/kube-system/${name}: `);

const ctrlC = by("SIGINT");

/** An `up` that changes something in each step, and how it is interrupted there, in order. */
const STEPS: readonly (Moment & { readonly name: string })[] = [
    // The Job that changes the member runs seconds after the snapshot.
    { name: "etcd", at: /snapshot before the upgrade: /, act: (child) => sleep(3_000).then(() => ctrlC(child)) },
    { name: "kube-apiserver", at: at("daemonset", "kube-apiserver"), act: ctrlC },
    { name: "kube-scheduler", at: at("daemonset", "kube-scheduler"), act: ctrlC },
    { name: "flannel", at: at("daemonset", "flannel"), act: ctrlC },
    { name: "kubelets of controllers", at: at("daemonset", "node-agent-controller"), act: ctrlC },
    { name: "kubelets of workers", at: at("daemonset", "node-agent-default"), act: ctrlC },
];

describeLong("a cluster of the previous patch release", function () {
    this.timeout(1_500_000);

    before(async function () {
        await buildPatches(this);
        await finished(cluster.spawnStart("--controllers", "1", "--workers", "0", "--kubernetes", olderPatch, "--yes"));
    });
    after(() => cluster.destroy());

    it("has CoreDNS on its first worker too, although the start is interrupted", async () => {
        await brokenOff("CoreDNS", { at: at("deployment", "coredns"), act: ctrlC }, "--workers", "1");
        await ends("--workers", "1");
        await isHealthy(olderPatch);
    });

    it("is offered the newest patch by its channel, and upgrades by itself without a failed request", async () => {
        const updates = ["updates", "--channel", "patch", "-o", "json"] as const;
        const [{ from, to }] = JSON.parse((await cluster.tradewind(...updates)).stdout);
        assert.deepEqual([from, to], [olderPatch, newerPatch]);
        await underProber(
            cluster,
            `${olderPatch} to ${newerPatch}`,
            () => controllerTargets(cluster, controller),
            async () => {
                const [{ result }] = JSON.parse((await cluster.tradewind(...updates, "--apply")).stdout);
                assert.equal(result, "applied");
            },
        );
        await isHealthy(newerPatch);
    });

    it("completes a change of everything that is interrupted at each step", async () => {
        await set("etcdVersion", "3.6.16");
        await set("kubeProxyMode", "iptables");
        for (const component of ["kubeApiserver", "kubeScheduler", "kubelet"])
            await set(`components.${component}.v`, 1);
        for (const { name, ...moment } of STEPS) await brokenOff(name, moment);
        await ends();
        await isHealthy(newerPatch);
    });

    // Then kube-controller-manager's Secret has two CAs, and its flags are those for one.
    it("completes a CA rotation that is interrupted at the checkpointer, with etcd changed before it", async () => {
        await set("etcdVersion", versions.etcd);
        for (const [index, generation] of [1, 2].entries()) await set(`keys.kubernetesCa[${index}]`, generation);
        await brokenOff("the checkpointer", { at: at("daemonset", "checkpointer"), act: ctrlC });
        await ends();
        await isHealthy(newerPatch);
    });
});

const start = (...options: string[]) => cluster.spawnStart("--yes", ...options);

async function brokenOff(name: string, moment: Moment, ...options: string[]): Promise<void> {
    const begin = performance.now();
    const { output } = await runThrough(start(...options), [moment], LIMIT_MS);
    assert.match(output, /run the same command again to resume/);
    console.log(`      interrupted at ${name} after ${((performance.now() - begin) / 1000).toFixed(0)} s`);
}

async function ends(...options: string[]): Promise<void> {
    const begin = performance.now();
    const { exitCode, output } = await runThrough(start(...options), [], LIMIT_MS);
    assert.equal(exitCode, 0, output);
    console.log(`      and completed in ${((performance.now() - begin) / 1000).toFixed(0)} s`);
}

async function isHealthy(version: string): Promise<void> {
    await allAre(cluster, version, 2);
    const name = "kubernetes.default.svc.cluster.local";
    await eventually("cluster DNS", async () => {
        const answer = await cluster.exec(worker, `busybox nslookup -type=a ${name} 10.3.0.10`);
        assert.match(answer, /10\.3\.0\.1$/m);
    });
    await cluster.tradewind("status");
    await cluster.pulumi("preview", "--expect-no-changes");
}
