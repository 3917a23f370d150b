import assert from "node:assert/strict";
import { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import type { Stack } from "@pulumi/pulumi/automation";
import { resolveCluster } from "../../components/cluster/resolve";
import { controlPlane } from "../../components/control-plane";
import { placeholderCredentials } from "../../components/control-plane/placeholder";
import { kubernetesObject } from "../../components/kubernetes-object";
import { versionHook } from "../../components/upgrade/version-hook";
import { ApiServer } from "./apiserver";
import { up } from "./kubernetes-fixture/run";
import { Engine } from "./kubernetes-fixture/stack";

/** kube-apiserver's DaemonSet as a stack of that version has it, though this release may know that no more. */
const program =
    (kubeconfig: string, version: string, upgradeOverrides: string[] = []) =>
    async () => {
        const cluster = resolveCluster({ name: "c", upgradeOverrides });
        const wanted = { ...cluster, versions: { ...cluster.versions, kubernetes: version as never } };
        const shapes = controlPlane(cluster, placeholderCredentials(cluster));
        const shape = shapes.find(({ kind, metadata }) => kind === "DaemonSet" && metadata.name === "kube-apiserver")!;
        const text = JSON.stringify(shape).replace(/(kube-apiserver:v)[\d.]+(@sha256:\w+)?/, `$1${version}`);
        const provider = new Provider("c", { kubeconfig: pulumi.secret(kubeconfig), clusterIdentifier: "c" });
        const annotations = { "pulumi.com/skipAwait": "true" };
        const manifest = JSON.parse(text);
        const told = { ...manifest, metadata: { ...manifest.metadata, annotations } };
        kubernetesObject("c", told, { provider, hooks: { beforeUpdate: [versionHook(wanted)] } });
    };

describe("kube-apiserver's version of the state, with the real engine", function () {
    this.timeout(120_000);
    let api: ApiServer;
    let engine: Engine;
    let stack: Stack;
    /** Nobody answers there. */
    let silent: string;

    const previewed = async (version: string, upgradeOverrides: string[] = [], kubeconfig = silent) => {
        stack.workspace.program = program(kubeconfig, version, upgradeOverrides);
        const told: string[] = [];
        try {
            await stack.preview({ onOutput: (text) => told.push(text) });
            return "";
        } catch {
            return told.join("");
        }
    };

    before(async () => {
        [api, engine] = await Promise.all([ApiServer.start(), Engine.start()]);
        silent = api.kubeconfig.replace(/127\.0\.0\.1:\d+/, "127.0.0.1:1");
        stack = await engine.stack(program(api.kubeconfig, "1.34.6"));
        await up(stack, program(api.kubeconfig, "1.34.6"));
    });
    after(async () => {
        engine?.stop();
        await api?.stop();
    });

    it("may be followed by the next minor version's, though the API does not answer", async () => {
        assert.equal(await previewed("1.35.4"), "");
        assert.equal(await previewed("1.34.6"), "");
    });

    it("may not be followed by one that skips a minor version, or goes back", async () => {
        assert.match(
            await previewed("1.36.3"),
            /c can't go from Kubernetes 1\.34\.6 to 1\.36\.3:\s+kubernetesVersion must be 1\.35\.4 while kube-apiserver 1\.34\.6 runs: no minor version may be skipped, got 1\.36\.3/,
        );
        assert.match(await previewed("1.33.1"), /what a newer minor version has stored an older one may not read/);
        assert.match(await previewed("1.36.3", [], api.kubeconfig), /no minor version may be skipped/);
    });

    it("may be followed by any, if that is asked for", async () => {
        assert.equal(await previewed("1.36.3", ["version"]), "");
    });

    it("is not gone from by an up either", async () => {
        await assert.rejects(up(stack, program(api.kubeconfig, "1.36.3")), /no minor version may be skipped/);
        await up(stack, program(api.kubeconfig, "1.35.4"));
    });
});
