import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import * as k8s from "@pulumi/kubernetes";
import type { Stack } from "@pulumi/pulumi/automation";
import { ApiServer } from "./apiserver";
import { FakeNode } from "./kubernetes-fixture/fake-node";
import { failingUp, preview, up } from "./kubernetes-fixture/run";
import { Engine } from "./kubernetes-fixture/stack";

const CONTROLLERS = [
    "daemonset-controller",
    "deployment-controller",
    "replicaset-controller",
    "endpointslice-controller",
];

describe("the kubernetes stand-in, waiting for rollouts", function () {
    this.timeout(120_000);
    let api: ApiServer;
    let engine: Engine;
    let node: FakeNode;

    before(async () => {
        [api, engine] = await Promise.all([ApiServer.start({ controllers: CONTROLLERS }), Engine.start()]);
        node = new FakeNode(api);
        await node.start();
    });

    after(async () => {
        await node?.stop();
        engine?.stop();
        await api?.stop();
    });

    const workload =
        (kind: "DaemonSet" | "Deployment", name: string, image: string, seconds = 60) =>
        async () => {
            const provider = new k8s.Provider("cluster", { kubeconfig: api.kubeconfig, clusterIdentifier: "test" });
            const metadata = { name, annotations: { "pulumi.com/timeoutSeconds": `${seconds}` } };
            const template = { metadata: { labels: { app: name } }, spec: { containers: [{ name: "main", image }] } };
            const spec = { selector: { matchLabels: { app: name } }, template };
            if (kind === "Deployment") new k8s.apps.v1.Deployment(name, { metadata, spec }, { provider });
            else new k8s.apps.v1.DaemonSet(name, { metadata, spec }, { provider });
        };

    for (const kind of ["DaemonSet", "Deployment"] as const) {
        describe(`of a ${kind}`, () => {
            const name = kind.toLowerCase();
            let stack: Stack;

            before(async () => {
                stack = await engine.stack(workload(kind, name, "slow:1"));
            });

            after(() => stack.destroy());

            it("reports its progress and ends when its pods are ready", async () => {
                node.holdSlowPods(true);
                const progress =
                    kind === "DaemonSet" ? /Available: 0\/1/ : /Waiting for app ReplicaSet .*0\/1 Pods available/;
                let shown = "";
                await up(stack, workload(kind, name, "slow:1"), (text) => {
                    shown += text;
                    if (progress.test(shown)) node.holdSlowPods(false);
                });
                assert.match(shown, progress);
            });

            it("fails after its timeout, like the official plugin: without the last logs of its pods", async () => {
                const printed = await failingUp(stack, workload(kind, name, "broken:1", 3));
                assert.match(printed, /failed to fully initialize or become live: timed out waiting for the condition/);
                assert.doesNotMatch(printed, /unknown flag: --bad/);
            });

            it("recovers in the next run, even without other changes", async () => {
                assert.deepEqual((await preview(stack, workload(kind, name, "broken:1", 3))).changes, { update: 1 });
                const { text } = await preview(stack, workload(kind, name, "good:2"));
                assert.match(text, /~ image: "broken:1" => "good:2"/);
                await up(stack, workload(kind, name, "good:2"));
                assert.deepEqual((await preview(stack, workload(kind, name, "good:2"))).changes, {});
            });
        });
    }

    it("keeps waiting while the API server restarts", async () => {
        node.holdSlowPods(true);
        const stack = await engine.stack(workload("DaemonSet", "patient", "slow:1"));
        const running = up(stack, workload("DaemonSet", "patient", "slow:1"));
        await until(async () => {
            const pods = await api.cluster.list({ group: "", version: "v1", kind: "Pod" }, "default", "app=patient");
            return pods.length > 0;
        });
        await api.stopApi();
        await sleep(500);
        await api.startApi();
        node.holdSlowPods(false);
        assert.deepEqual((await running).changes, { create: 3 });
    });

    it("considers a Service ready once it selects a pod, and one without a selector at once", async () => {
        const services = async () => {
            const provider = new k8s.Provider("cluster", { kubeconfig: api.kubeconfig, clusterIdentifier: "test" });
            const ports = [{ port: 80 }];
            const metadata = { annotations: { "pulumi.com/timeoutSeconds": "30" } };
            new k8s.core.v1.Service("served", { metadata, spec: { ports, selector: { app: "served" } } }, { provider });
            new k8s.core.v1.Service("bare", { metadata, spec: { ports } }, { provider });
            const pod = { containers: [{ name: "main", image: "good" }] };
            new k8s.core.v1.Pod("served", { metadata: { labels: { app: "served" } }, spec: pod }, { provider });
        };
        const stack = await engine.stack(services);
        assert.deepEqual((await up(stack, services)).changes, { create: 5 });
    });
});

async function until(condition: () => Promise<boolean>, seconds = 30): Promise<void> {
    const end = Date.now() + seconds * 1000;
    while (!(await condition().catch(() => false))) {
        if (Date.now() > end) throw new Error(`the pod did not appear within ${seconds} s`);
        await sleep(50);
    }
}
