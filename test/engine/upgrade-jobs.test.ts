import assert from "node:assert/strict";
import { ConfigMap } from "@pulumi/kubernetes/core/v1/configMap";
import * as pulumi from "@pulumi/pulumi";
import type { Stack } from "@pulumi/pulumi/automation";
import { type ApiClient, list } from "../../clients/kubernetes/api-client";
import { withKubeconfig } from "../../clients/kubernetes/checked-client";
import type { ConfigMap as ConfigMapObject, Job } from "../../clients/kubernetes/objects";
import type { Cluster } from "../../cluster/model";
import type { UpgradeJobOptions } from "../../cluster/options";
import { resolveCluster } from "../../cluster/resolve";
import { type InCluster, putInto } from "../../components/in-cluster/kubernetes-object";
import { putJobsAfter } from "../../components/in-cluster/upgrade-jobs";
import { ClusterProvider } from "../../components/rollout/cluster-provider";
import { recordVersion, runJobsAfter } from "../../components/upgrade/upgrade-jobs";
import { ApiServer } from "./apiserver";
import { FakeNode } from "./kubernetes-fixture/fake-node";
import { failingUp, preview, up } from "./kubernetes-fixture/run";
import { Engine } from "./kubernetes-fixture/stack";

class Owner extends pulumi.ComponentResource {
    constructor() {
        super("test:index:Owner", "c");
    }
}

const job = (image: string, more: Partial<UpgradeJobOptions> = {}) => ({
    name: "smoke",
    after: "apiserver",
    image: `registry.example/${image}:v1`,
    ...more,
});

describe("Jobs of the user's in an upgrade, with the real engine", function () {
    this.timeout(240_000);
    let api: ApiServer;
    let engine: Engine;
    let node: FakeNode;
    let stack: Stack;

    const clusterOf = (version: string, ...upgradeJobs: UpgradeJobOptions[]): Cluster => {
        const cluster = resolveCluster({ name: "c", upgradeJobs });
        return { ...cluster, versions: { ...cluster.versions, kubernetes: version as never } };
    };
    /** A step, its Jobs, and the next step, which has the version as its contents. */
    const program = (cluster: Cluster) => async () => {
        const kubeconfig = pulumi.secret(pulumi.output(api.kubeconfig));
        const provider = new ClusterProvider("c", {
            kubeconfig,
            clusterIdentifier: "c",
            upsertExistingObjects: true,
            enableConfigMapMutable: true,
        });
        const parent = new Owner();
        const args: InCluster & { parent: pulumi.Resource } = { cluster, provider, parent, deletedWith: provider };
        const put = putInto("c", args);
        const step = new ConfigMap("step", { data: { version: cluster.versions.kubernetes } }, { provider });
        const dependsOn = [...putJobsAfter("apiserver", args, put, [step])];
        const metadata = { name: "next", namespace: "default" };
        new ConfigMap("next", { metadata, data: { version: cluster.versions.kubernetes } }, { provider, dependsOn });
    };
    const ask = <T>(act: (client: ApiClient) => Promise<T>) => withKubeconfig(api.kubeconfig, "test", act);
    /** The Jobs that have run, by name and creation, and the version of the next step. */
    const seen = () =>
        ask(async (client) => {
            const jobs = await list<Job>(client, "/apis/batch/v1/namespaces/default/jobs");
            const next = await client.call<ConfigMapObject>("/api/v1/namespaces/default/configmaps/next");
            return { jobs: jobs.map(({ metadata }) => metadata.name), next: next.data?.version };
        });

    before(async () => {
        [api, engine] = await Promise.all([ApiServer.start({ controllers: ["job-controller"] }), Engine.start()]);
        node = new FakeNode(api);
        await node.start();
        const first = program(clusterOf("1.35.4", job("failing")));
        stack = await engine.stack(first);
        await up(stack, first);
    });
    after(async () => {
        await node?.stop();
        engine?.stop();
        await api?.stop();
    });

    it("do not run while a cluster is created, nor without another version", async () => {
        await up(stack, program(clusterOf("1.35.4", job("failing", { command: ["other"] }))));
        assert.deepEqual(await seen(), { jobs: [], next: "1.35.4" });
    });

    it("are shown, but not run, by a preview", async () => {
        const { text } = await preview(stack, program(clusterOf("1.36.3", job("failing"))));
        assert.match(text, /configmap\/kube-system\/upgrade-job-smoke/);
        assert.deepEqual((await seen()).jobs, []);
    });

    it("stop an upgrade before the next step if they fail, with their last output, and run again in the next up", async () => {
        const cluster = clusterOf("1.36.3", job("failing"));
        const stops =
            /c: the upgrade to Kubernetes 1\.36\.3 stops after kube-apiserver: the Job default\/smoke-\w+ failed: its last line/;
        assert.match(await failingUp(stack, program(cluster)), stops);
        const first = await seen();
        assert.equal(first.next, "1.35.4");
        assert.equal(first.jobs.length, 1);
        assert.match(await failingUp(stack, program(cluster)), stops);
        const second = await seen();
        assert.equal(second.jobs.length, 1);
        assert.notDeepEqual(second.jobs, first.jobs);
    });

    it("stop an upgrade if they do not end in time", async () => {
        const cluster = clusterOf("1.36.3", job("endless", { timeout: "2s" }));
        assert.match(
            await failingUp(stack, program(cluster)),
            /stops after kube-apiserver: waited 2 s for the Job default\/smoke-\w+: it is running/,
        );
        assert.equal((await seen()).next, "1.35.4");
    });

    it("let the upgrade go on if they succeed, and do not run again", async () => {
        const cluster = clusterOf("1.36.3", job("succeeding"));
        const { text } = await up(stack, program(cluster));
        assert.match(text, /the Job smoke after kube-apiserver: done/);
        const { jobs, next } = await seen();
        assert.equal(next, "1.36.3");
        assert.equal(jobs.length, 1);
        await up(stack, program(clusterOf("1.36.3", job("failing"))));
        assert.deepEqual((await seen()).jobs, jobs);
    });

    it("do not run on the way back to an older version", async () => {
        await up(stack, program(clusterOf("1.35.4", job("failing"))));
        assert.equal((await seen()).next, "1.35.4");
    });

    it("run in the upgrade that they are added with, but not in an up without one", async () => {
        const added = job("failing", { name: "added" });
        const before = clusterOf("1.35.4", job("succeeding"));
        await up(stack, program(before));
        await up(stack, program(clusterOf("1.35.4", job("succeeding"), added)));
        await up(stack, program(before));
        const upgrade = clusterOf("1.36.3", job("succeeding"), added);
        // As the guard does before an upgrade.
        await ask((client) => recordVersion(upgrade, "1.35.4", client));
        assert.match(
            await failingUp(stack, program(upgrade)),
            /stops after kube-apiserver: the Job default\/added-\w+ failed: its last line/,
        );
        assert.equal((await seen()).next, "1.35.4");
        await up(stack, program(clusterOf("1.36.3", job("succeeding"), job("succeeding", { name: "added" }))));
        assert.equal((await seen()).next, "1.36.3");
    });

    it("name what Kubernetes says if no pod can be created", async () => {
        const missing = { ...job("succeeding", { before: "snapshot", namespace: "missing" }), after: undefined };
        const run = ask((client) =>
            runJobsAfter(undefined, clusterOf("1.36.3", missing), "1.35.4", client, async () => undefined),
        );
        await assert.rejects(
            run,
            /^Error: c: the upgrade to Kubernetes 1\.36\.3 stops before a snapshot of etcd: .*namespaces "missing" not found$/,
        );
    });
});
