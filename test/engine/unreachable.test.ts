import assert from "node:assert/strict";
import { createServer, type Server, type Socket } from "node:net";
import { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import type { Stack } from "@pulumi/pulumi/automation";
import { resolveCluster } from "../../cluster/resolve";
import { kubernetesObject } from "../../components/in-cluster/kubernetes-object";
import { ClusterProvider } from "../../components/rollout/cluster-provider";
import { whenUpgradable } from "../../components/upgrade/guard";
import { pulumiEnv } from "../../local/pulumi";
import { clusterState } from "../../local/state";
import { ApiServer } from "./apiserver";
import { up } from "./kubernetes-fixture/run";
import { Engine } from "./kubernetes-fixture/stack";

class Owner extends pulumi.ComponentResource {
    constructor(name = "c") {
        super("test:index:Owner", name);
    }
}

/** Two clusters, of which one is known to have no API any more, in a program that sets what once was asked for that. */
const twoClusters = (kubeconfig: string) => async () => {
    Object.assign(globalThis, { tradewindOnPaper: true });
    process.env.TRADEWIND_WITHOUT_API = "true";
    const pivot = new local.Command("pivot", { create: "true" });
    const access = { kubeconfig: pulumi.output(kubeconfig), lacksIssuer: Promise.resolve(false), servedBy: [pivot] };
    const guarded = (name: string, isApiLost: boolean) => {
        const cluster = resolveCluster({ name });
        const { kubeconfig: checked } = whenUpgradable(cluster, { ...access, isApiLost }, pivot, new Owner(name));
        return (checked as unknown as { promise(): Promise<string> }).promise();
    };
    const [kept, lost] = await Promise.allSettled([guarded("c", false), guarded("d", true)]);
    assert.equal(lost.status, "fulfilled");
    if (kept.status === "rejected") throw kept.reason;
};

/** A stack's objects, with the API access of every stack. */
const program = (kubeconfig: string, objects: Record<string, string>) => async () => {
    const pivot = new local.Command("pivot", { create: "true" });
    const access = { kubeconfig: pulumi.output(kubeconfig), lacksIssuer: Promise.resolve(false), servedBy: [pivot] };
    const { kubeconfig: checked } = whenUpgradable(resolveCluster({ name: "c" }), access, pivot, new Owner());
    // When it is rejected, resources waiting for the provider would never end in a program of the Automation API.
    await (checked as unknown as { promise(): Promise<string> }).promise();
    const secret = pulumi.secret(checked);
    const provider = new ClusterProvider("c", {
        kubeconfig: secret,
        clusterIdentifier: "c",
        enableConfigMapMutable: true,
    });
    for (const [name, text] of Object.entries(objects)) {
        const manifest = {
            apiVersion: "v1",
            kind: "ConfigMap",
            metadata: { name, namespace: "default" },
            data: { text },
        };
        kubernetesObject("c", manifest, { provider, deletedWith: pivot });
    }
};

describe("a cluster that accepts connections but never responds", function () {
    this.timeout(240_000);
    let api: ApiServer;
    let engine: Engine;
    let stack: Stack;
    let silent: Server;
    const sockets = new Set<Socket>();

    const objects = () => engine.stateOf(stack).match(/kubernetes:core\/v1:ConfigMap::/g)?.length ?? 0;

    /**
     * A command's output and result, and the seconds until it reported that the API is unreachable and until it exited.
     */
    const run = async (command: (onOutput: (text: string) => void) => Promise<unknown>) => {
        const began = Date.now();
        const seconds = () => (Date.now() - began) / 1000;
        let printed = "";
        let said = Number.POSITIVE_INFINITY;
        const listen = (text: string) => {
            printed += text;
            if (/API (is )?unreachable/.test(printed)) said = Math.min(said, seconds());
        };
        const hasFailed = await command(listen).then(
            () => false,
            () => true,
        );
        console.log(`      reported after ${said.toFixed(1)} s, ended after ${seconds().toFixed(1)} s`);
        return { printed, hasFailed, said, ended: seconds() };
    };

    before(async () => {
        [api, engine] = await Promise.all([ApiServer.start(), Engine.start()]);
        const whole = program(api.kubeconfig, { one: "1", two: "2" });
        stack = await engine.stack(whole);
        await up(stack, whole);
        assert.equal(objects(), 2);
        await api.stopApi();
        const port = Number(/127\.0\.0\.1:(\d+)/.exec(api.kubeconfig)![1]);
        silent = createServer((socket) => void sockets.add(socket)).listen(port, "127.0.0.1");
    });
    after(async () => {
        for (const socket of sockets) socket.destroy();
        silent?.close();
        engine?.stop();
        await api?.stop();
    });

    it("is previewed from the state, quickly and with a warning", async () => {
        stack.workspace.program = program(api.kubeconfig, { one: "other", two: "2" });
        const { printed, hasFailed, said, ended } = await run((onOutput) =>
            stack.preview({ onOutput, onError: onOutput, diff: true }),
        );
        assert.equal(hasFailed, false, printed);
        assert.match(printed, /~ text: "1" => "other"/);
        assert.match(printed, /warning: c: upgrade checks were skipped because the API is unreachable/);
        // The program starts first, slowly on a busy machine.
        assert.ok(said < 20, `${said} s`);
        assert.ok(ended < 30, `${ended} s: a plugin alone takes half a minute`);
    });

    it("loses nothing from the state in an up that changes and drops objects, which fails quickly", async () => {
        stack.workspace.program = program(api.kubeconfig, { one: "other" });
        const { printed, hasFailed, said } = await run((onOutput) => stack.up({ onOutput }));
        assert.equal(hasFailed, true);
        assert.match(printed, /c: API unreachable, nothing in the cluster was changed: no answer in time/);
        assert.ok(said < 20, `${said} s`);
        assert.equal(objects(), 2);
        assert.equal(/"text": "other"/.test(engine.stateOf(stack)), false);
    });

    it("fails an up for each cluster that is not known to be lost, whatever globals its program sets", async () => {
        stack.workspace.program = twoClusters(api.kubeconfig);
        try {
            const { printed, hasFailed } = await run((onOutput) => stack.up({ onOutput }));
            assert.equal(hasFailed, true);
            assert.match(printed, /c: API unreachable, nothing in the cluster was changed: no answer in time/);
            assert.match(printed, /warning: d: upgrade checks were skipped because the API is unreachable/);
            assert.equal(objects(), 2);
        } finally {
            Reflect.deleteProperty(globalThis, "tradewindOnPaper");
            delete process.env.TRADEWIND_WITHOUT_API;
        }
    });

    it("loses nothing from the state in a refresh, in the environment of npm run pulumi", async () => {
        const name = "PULUMI_K8S_DELETE_UNREACHABLE";
        const variables = { ...stack.workspace.envVars, [name]: pulumiEnv(clusterState("c"), ["refresh"])[name]! };
        stack.workspace.envVars = variables;
        const { printed, hasFailed } = await run((onOutput) => stack.refresh({ onOutput }));
        assert.equal(hasFailed, true);
        assert.match(printed, /failed to read resource state due to unreachable cluster/);
        assert.equal(objects(), 2);
    });

    it("is destroyed at once with the command that kills it", async () => {
        const { hasFailed, printed } = await run((onOutput) => stack.destroy({ onOutput }));
        assert.equal(hasFailed, false, printed);
        assert.equal(objects(), 0);
    });
});
