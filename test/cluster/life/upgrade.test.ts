import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { SnapshotStatus } from "../../../agents/etcd/keeper/status";
import { orderBack } from "../../../cluster/upgrades/order";
import { readRecord } from "../../../local/record";
import { clusterState } from "../../../local/state";
import { powerCut } from "../../../machines";
import { docker } from "../../../machines/docker";
import { containerName, LOAD_BALANCER } from "../../../machines/names";
import { versions } from "../../../versions";
import { isLong } from "../../takes-long";
import { by, type Moment, runThrough } from "../interrupt";
import { life, lifeBegins, olderVersion } from "../life";
import { describeTallies, Prober } from "../prober";
import { controllerTargets, likeKubernetes } from "../rollout";
import { describeSteps } from "../upgrade-steps";

const setVersion = (version: string) => life.pulumi("config", "set", "kubernetesVersion", version);

describe("an upgrade of the only controller to the next minor version", function () {
    this.timeout(isLong ? 1_800_000 : 600_000);

    before(() => lifeBegins());

    it("fails no request although it is interrupted and repeated, and takes an etcd snapshot first", async () => {
        await setVersion(versions.kubernetes);
        const preview = await life.pulumi("preview");
        assert.match(
            preview.stdout,
            new RegExp(`Kubernetes ${olderVersion} becomes ${versions.kubernetes}: a snapshot`),
        );
        const prober = new Prober(await controllerTargets(life, `${life.name}-controller-0`), 1_500);
        const start = performance.now();
        const began = Date.now();
        assert.match(await upgrade(), /snapshot before the upgrade: /);
        console.log(
            `      from ${olderVersion} to ${versions.kubernetes} in ${((performance.now() - start) / 1000).toFixed(0)} s`,
        );
        // The last generation drains.
        await sleep(15_000);
        const tallies = await prober.stop();
        console.log(`      ${describeTallies(tallies)}`);
        // From the run that succeeded: an interrupted one writes no tallies.
        const { last: run } = readRecord(clusterState(life.name).timeline, life.name);
        for (const line of describeSteps(run, tallies)) console.log(`        ${line}`);
        const counted = likeKubernetes(tallies);
        assert.deepEqual(
            counted.flatMap(({ failures }) => failures),
            [],
        );
        assert.match(await life.kubectl("version"), new RegExp(`Server Version: v${versions.kubernetes}`));
        const { data } = await life.get<{ data: { snapshot: string } }>(
            "configmap",
            "etcd-status",
            "-n",
            "kube-system",
        );
        const { last }: SnapshotStatus = JSON.parse(data.snapshot);
        // That one, or a regular one right after it.
        assert.equal(last?.kubernetesVersion, olderVersion);
        assert.ok(Date.parse(last.time) > began, last.time);
        const { items } = await life.get<{ items: Node[] }>("nodes");
        for (const { metadata, spec, status } of items) {
            assert.equal(status.nodeInfo.kubeletVersion, `v${versions.kubernetes}`, metadata.name);
            assert.notEqual(spec.unschedulable, true, `${metadata.name} stays cordoned`);
        }
        // Its pods moved when their nodes were drained.
        const name = "kubernetes.default.svc.cluster.local";
        const answer = await life.exec(`${life.name}-default-0`, `busybox nslookup -type=a ${name} 10.3.0.10`);
        assert.match(answer, /10\.3\.0\.1$/m);
        await life.pulumi("preview", "--expect-no-changes");
    });

    // For the way back itself see `upgrades/workloads.test.ts`.
    it("can be taken back, as a preview shows", async () => {
        await setVersion(olderVersion);
        try {
            const { stdout } = await life.pulumi("preview");
            assert.ok(stdout.includes(`goes back to ${olderVersion}: ${orderBack}`), stdout);
        } finally {
            await setVersion(versions.kubernetes);
        }
        await life.pulumi("preview", "--expect-no-changes");
    });
});

/** Steps of an upgrade, each identified by its output. */
const STEPS = [
    /snapshot before the upgrade: /,
    ...["kube-apiserver", "kube-controller-manager", "kube-proxy", "node-agent-controller"].map(
        (name) => new RegExp(`daemonset/kube-system/${name}: `),
    ),
];

/** An upgrade takes a few times longer if it is interrupted at each step. */
const LIMIT_MS = 400_000;

/** Upgrades with `npm start`, interrupted at a step, or at each in turn by a signal, and repeated. @returns the output */
async function upgrade(): Promise<string> {
    const outputs: string[] = [];
    const start = () => life.spawnStart("--kubernetes", versions.kubernetes, "--yes");
    for (const [index, at] of STEPS.entries()) {
        if (!isLong && at !== STEPS[1]) continue;
        const signal = index % 2 === 0 ? "SIGKILL" : "SIGINT";
        const began = performance.now();
        const { output } = await runThrough(start(), [{ at, act: by(signal) }], LIMIT_MS);
        const seconds = (performance.now() - began) / 1000;
        outputs.push(output);
        console.log(`      interrupted by ${signal} at ${at.source}, after ${seconds.toFixed(0)} s`);
        if (signal === "SIGINT") assert.match(output, /run the same command again to resume/);
    }
    const { exitCode, output } = await runThrough(start(), isLong ? MISHAPS : [], LIMIT_MS);
    assert.equal(exitCode, 0, output);
    return [...outputs, output].join("\n");
}

/** Faults of machines while kubelets are upgraded. */
const MISHAPS: readonly Moment[] = [
    {
        at: /daemonset\/kube-system\/node-agent-default: /,
        act: async () => {
            await powerCut(life.name, `${life.name}-default-0`);
            await docker(["restart", "--time", "0", containerName(life.name, LOAD_BALANCER)]);
        },
    },
];

interface Node {
    readonly metadata: { readonly name: string };
    readonly spec: { readonly unschedulable?: boolean };
    readonly status: { readonly nodeInfo: { readonly kubeletVersion: string } };
}
