import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { Stack } from "@pulumi/pulumi/automation";
import type { Manifest } from "../../cluster/manifest";
import { kubernetesObject } from "../../components/in-cluster/kubernetes-object";
import { ClusterProvider } from "../../components/rollout/cluster-provider";
import { at, type KubernetesObject, listAt } from "../../simulator/plugins/kubernetes/object";
import { ApiServer } from "./apiserver";
import { preview, refresh, up } from "./kubernetes-fixture/run";
import { Engine } from "./kubernetes-fixture/stack";

const name = "dns";
const path = `/apis/apps/v1/namespaces/default/deployments/${name}`;

interface Desired {
    readonly memory?: string;
    readonly args?: readonly string[];
    readonly labels?: Record<string, string>;
}

function deployment({ memory, args = ["--v=1"], labels = {} }: Desired): Manifest {
    const limits = memory ? { memory } : {};
    const container = { name: "main", image: "dns:1", args, resources: { limits: { cpu: "1", ...limits } } };
    const template = { metadata: { labels: { app: name } }, spec: { containers: [container] } };
    const annotations = { "pulumi.com/skipAwait": "true" };
    return {
        ...{ apiVersion: "apps/v1", kind: "Deployment" },
        metadata: { name, namespace: "default", labels, annotations },
        spec: { replicas: 2, selector: { matchLabels: { app: name } }, template },
    };
}

describe("changes by others to a stack's objects", function () {
    this.timeout(240_000);
    let api: ApiServer;
    let engine: Engine;
    let stack: Stack;
    let desired: Desired = { memory: "170Mi" };

    const program = (now: Desired) => async () => {
        desired = now;
        const provider = new ClusterProvider("c", {
            kubeconfig: pulumi.secret(pulumi.output(api.kubeconfig)),
            ...{ clusterIdentifier: "c", upsertExistingObjects: true, enablePatchForce: true },
        });
        kubernetesObject("c", deployment(now), { provider });
    };
    const live = async () => (await api.http.send({ method: "GET", path })) as KubernetesObject;
    const container = async () => listAt(await live(), "spec", "template", "spec", "containers")[0]!;
    const memory = async () => at(await container(), "resources", "limits", "memory");
    const patch = (fieldManager: string, body: object, subresource = "") =>
        api.http.send({
            method: "PATCH",
            path: path + subresource,
            contentType: "application/strategic-merge-patch+json",
            query: { fieldManager },
            body,
        });
    const limit = (memory: string) => ({
        spec: { template: { spec: { containers: [{ name: "main", resources: { limits: { memory } } }] } } },
    });
    /** As `pulumi up --refresh` does. */
    const refreshAndUp = async (now: Desired = desired) => {
        await refresh(stack);
        return up(stack, program(now));
    };

    before(async () => {
        [api, engine] = await Promise.all([ApiServer.start(), Engine.start()]);
        stack = await engine.stack(program(desired));
        await up(stack, program(desired));
    });
    after(async () => {
        engine?.stop();
        await api?.stop();
    });
    afterEach(async () => assert.deepEqual((await preview(stack, program(desired))).changes, {}));

    const memoryPath = "spec.template.spec.containers[main].resources.limits.memory";
    const undone = (manager: string, field: string) =>
        `Deployment default/dns: ${manager} set ${field}; undoing that, since the stack owns it`;

    for (const manager of ["k9s", "kubectl-edit"]) {
        it(`are reverted, with a message about ${manager}`, async () => {
            await patch(manager, limit("300Mi"));
            await refresh(stack);
            const { text } = await preview(stack, program(desired));
            assert.match(text, /~ memory: "300Mi" => "170Mi"/);
            const { text: printed } = await up(stack, program(desired));
            assert.ok(printed.includes(undone(manager, memoryPath)), printed);
            assert.equal(await memory(), "170Mi");
        });
    }

    it("are reverted if made through a subresource, as kubectl scale does", async () => {
        await patch("kubectl", { spec: { replicas: 5 } }, "/scale");
        const { text } = await refreshAndUp();
        assert.ok(text.includes(undone("kubectl", "spec.replicas")), text);
        assert.equal(at(await live(), "spec", "replicas"), 2);
    });

    it("are reverted if applied by force, as Argo CD does", async () => {
        const theirs = {
            apiVersion: "apps/v1",
            kind: "Deployment",
            metadata: { name, namespace: "default" },
            ...limit("1Gi"),
        };
        await api.cluster.apply(theirs, { fieldManager: "argocd-controller", force: true });
        const { text } = await refreshAndUp();
        assert.ok(text.includes(undone("argocd-controller", memoryPath)), text);
        assert.equal(await memory(), "170Mi");
    });

    it("are removed when the stack drops the field, even without a refresh", async () => {
        await patch("k9s", limit("300Mi"));
        const { text } = await up(stack, program({}));
        assert.equal(await memory(), undefined);
        assert.ok(text.includes(undone("k9s", memoryPath)), text);
        await up(stack, program({ memory: "170Mi" }));
        const { text: quiet } = await up(stack, program({}));
        assert.equal(await memory(), undefined);
        assert.doesNotMatch(quiet, /undoing/);
    });

    it("do not block a change of flags, and are not mentioned if the stack does not set the field", async () => {
        // As kubectl rollout restart does.
        const restartedAt = { "kubectl.kubernetes.io/restartedAt": "2026-11-25T00:00:00Z" };
        await patch("kubectl-rollout", { spec: { template: { metadata: { annotations: restartedAt } } } });
        await patch("mesh", { metadata: { labels: { mesh: "yes" } } });
        const { text } = await refreshAndUp({ args: ["--v=2"], labels: { app: name } });
        assert.deepEqual((await container()).args, ["--v=2"]);
        assert.doesNotMatch(text, /undoing/);
        assert.equal(at(await live(), "metadata", "labels", "mesh"), "yes");
    });
});
