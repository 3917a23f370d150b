import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { Stack } from "@pulumi/pulumi/automation";
import { kubernetesObject } from "../../components/in-cluster/kubernetes-object";
import { ClusterProvider } from "../../components/rollout/cluster-provider";
import { ApiServer } from "./apiserver";
import { FakeNode } from "./kubernetes-fixture/fake-node";
import { failingUp, up } from "./kubernetes-fixture/run";
import { Engine } from "./kubernetes-fixture/stack";

const CONTROLLERS = ["daemonset-controller", "deployment-controller", "replicaset-controller", "job-controller"];

describe("a failed rollout, whatever plugin waits for it", function () {
    this.timeout(240_000);
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
        (kind: "DaemonSet" | "Deployment" | "Job", image: string, more: object = {}) =>
        async () => {
            const name = kind.toLowerCase();
            const provider = new ClusterProvider("c", {
                kubeconfig: pulumi.secret(pulumi.output(api.kubeconfig)),
                clusterIdentifier: "c",
            });
            const metadata = { name, namespace: "default", annotations: { "pulumi.com/timeoutSeconds": "5" } };
            const labels = { app: name };
            const pod = { containers: [{ name: "main", image }], ...more };
            const template = { metadata: { labels }, spec: pod };
            const isJob = kind === "Job";
            const spec = isJob ? { template } : { selector: { matchLabels: labels }, template };
            const apiVersion = isJob ? "batch/v1" : "apps/v1";
            kubernetesObject("c", { apiVersion, kind, metadata, spec }, { provider });
        };
    const words = (kind: string) =>
        new RegExp(
            `error: pod "${kind.toLowerCase()}-\\S+" on node "fake", container "main": \\[CrashLoopBackOff\\].*exit code 2 \\(Error\\): unknown flag: --bad`,
        );

    for (const kind of ["DaemonSet", "Deployment"] as const) {
        describe(`of a ${kind}`, () => {
            let stack: Stack;
            before(async () => {
                stack = await engine.stack(workload(kind, "good:1"));
            });

            it("says nothing about its pods while they start", async () => {
                assert.doesNotMatch((await up(stack, workload(kind, "good:1"))).text, /pod "/);
            });

            it("ends with the last logs of its pods", async () => {
                const printed = await failingUp(stack, workload(kind, "broken:1"));
                assert.match(printed, words(kind));
                assert.match(printed, /failed to fully initialize or become live: timed out waiting for the condition/);
            });

            it("continues with another change, without further messages", async () => {
                assert.doesNotMatch((await up(stack, workload(kind, "good:2"))).text, /pod "/);
            });
        });
    }

    it("ends with them on its first rollout too", async () => {
        const first = workload("Job", "broken:1", { restartPolicy: "OnFailure" });
        const stack = await engine.stack(first);
        assert.match(await failingUp(stack, first), words("Job"));
    });
});
