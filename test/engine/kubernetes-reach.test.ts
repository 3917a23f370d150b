import assert from "node:assert/strict";
import { createServer, type Server } from "node:net";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import type { Stack } from "@pulumi/pulumi/automation";
import { ApiServer } from "./apiserver";
import { failingUp, preview, up } from "./kubernetes-fixture/run";
import { Engine } from "./kubernetes-fixture/stack";

const UNREACHABLE = /configured Kubernetes cluster is unreachable: .*connection refused/;

describe("the kubernetes stand-in and an unreachable cluster", function () {
    this.timeout(120_000);
    let api: ApiServer;
    let engine: Engine;

    before(async () => {
        [api, engine] = await Promise.all([ApiServer.start(), Engine.start()]);
    });

    after(async () => {
        engine?.stop();
        await api?.stop();
    });

    const program =
        (name: string, text: string, args: k8s.ProviderArgs = {}) =>
        async () => {
            const all = {
                kubeconfig: api.kubeconfig,
                clusterIdentifier: "test",
                enableConfigMapMutable: true,
                ...args,
            };
            const provider = new k8s.Provider("cluster", all);
            new k8s.core.v1.ConfigMap("settings", { metadata: { name }, data: { text } }, { provider });
        };

    it("previews with a kubeconfig that is not known yet", async () => {
        // Such as the output of a resource that does not exist yet.
        let isThere = false;
        const unknown = pulumi.output(pulumi.unknown as string);
        const derived = () => program("derived", "text", { kubeconfig: isThere ? api.kubeconfig : unknown })();
        const stack = await engine.stack(derived);
        assert.deepEqual((await preview(stack, derived)).changes, { create: 3 });
        isThere = true;
        await up(stack, derived);
        assert.deepEqual((await preview(stack, derived)).changes, {});
    });

    it("keeps every object when the kubeconfig changes but the cluster's identifier does not", async () => {
        const stack = await engine.stack(program("kept", "text"));
        await up(stack, program("kept", "text"));
        const other = api.kubeconfigOf("other-admin", "system:masters").replace("127.0.0.1", "localhost");
        const renewed = program("kept", "text", { kubeconfig: other });
        assert.deepEqual((await preview(stack, renewed)).changes, { update: 1 });
        const again = program("kept", "text", { kubeconfig: other, clusterIdentifier: "another" });
        assert.match((await preview(stack, again)).text, /\+-.*kubernetes:core\/v1:ConfigMap.*replace/);
    });

    it("replaces every object when the server changes and the cluster has no identifier", async () => {
        const anonymous = (kubeconfig: string) =>
            program("moved", "text", { kubeconfig, clusterIdentifier: undefined });
        const stack = await engine.stack(anonymous(api.kubeconfig));
        await up(stack, anonymous(api.kubeconfig));
        const user = anonymous(api.kubeconfigOf("third-admin", "system:masters"));
        assert.deepEqual((await preview(stack, user)).changes, { update: 1 });
        const server = anonymous(api.kubeconfig.replace("127.0.0.1", "localhost"));
        assert.match((await preview(stack, server)).text, /\+-.*kubernetes:core\/v1:ConfigMap.*replace/);
    });

    describe("that is down", () => {
        let lost: Stack;
        let skipped: Stack;
        const skipping = (text: string) => program("skipped", text, { skipUpdateUnreachable: true });

        before(async () => {
            [lost, skipped] = [await engine.stack(program("lost", "one")), await engine.stack(skipping("one"))];
            await Promise.all([up(lost, program("lost", "one")), up(skipped, skipping("one"))]);
            await api.stopApi();
        });

        after(() => api.startApi());

        it("shows in preview what would change", async () => {
            const { text, changes } = await preview(lost, program("lost", "two"));
            assert.deepEqual(changes, { update: 1 });
            assert.match(text, /~ text: "one" => "two"/);
        });

        it("fails to update, with the reason", async () => {
            assert.match(await failingUp(lost, program("lost", "two")), UNREACHABLE);
        });

        it("skips updates on request", async () => {
            assert.deepEqual((await up(skipped, skipping("two"))).changes, {});
        });

        it("deletes nothing, and only forgets objects on request", async () => {
            await assert.rejects(lost.destroy(), /PULUMI_K8S_DELETE_UNREACHABLE/);
            lost.workspace.envVars = { ...lost.workspace.envVars, PULUMI_K8S_DELETE_UNREACHABLE: "true" };
            await lost.destroy();
            assert.doesNotMatch(engine.stateOf(lost), /ConfigMap/);
        });
    });

    it("waits half a minute for a cluster that hangs, like the official plugin, even if nothing changed", async () => {
        const stack = await engine.stack(program("hangs", "one"));
        await up(stack, program("hangs", "one"));
        const silent = await listenSilently();
        try {
            const { port } = silent.address() as { port: number };
            const kubeconfig = api.kubeconfig.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${port}`);
            const started = Date.now();
            assert.deepEqual((await preview(stack, program("hangs", "one", { kubeconfig }))).changes, { update: 1 });
            assert.ok(Date.now() - started > 29_000);
        } finally {
            silent.close();
        }
    });
});

// Accepts connections but never responds.
function listenSilently(): Promise<Server> {
    return new Promise((resolve) => {
        const server = createServer().listen(0, "127.0.0.1", () => resolve(server));
    });
}
