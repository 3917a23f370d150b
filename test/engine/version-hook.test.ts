import assert from "node:assert/strict";
import { local } from "@pulumi/command";
import { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import type { Stack } from "@pulumi/pulumi/automation";
import { fieldManager } from "../../cluster/manifest";
import { controlPlane } from "../../cluster/manifests/control-plane";
import { placeholderCredentials } from "../../cluster/manifests/control-plane/placeholder";
import { resolveCluster } from "../../cluster/resolve";
import { kubernetesObject } from "../../components/in-cluster/kubernetes-object";
import { whenUpgradable } from "../../components/upgrade/guard";
import { versionHook } from "../../components/upgrade/version-hook";
import { ApiServer } from "./apiserver";
import { failingUp, up } from "./kubernetes-fixture/run";
import { Engine } from "./kubernetes-fixture/stack";

class Owner extends pulumi.ComponentResource {
    constructor() {
        super("test:index:Owner", "c");
    }
}

interface Given {
    readonly kubeconfig: string;
    readonly version: string;
    readonly upgradeOverrides?: string[];
    /** Whether the cluster is checked first, as in a stack. @default false */
    readonly isGuarded?: boolean;
    /** Whether it reports what runs, as it is not queried here. @default false */
    readonly wasAsked?: boolean;
    /** Seconds to wait for the rollout, which times out: no controller creates pods here. @default no wait */
    readonly seconds?: number;
}

/** kube-apiserver's DaemonSet as created by a stack of that version, which this release may no longer support. */
const program = (given: Given) => async () => {
    const { version, upgradeOverrides = [], isGuarded = false, wasAsked = false, seconds } = given;
    const cluster = resolveCluster({ name: "c", upgradeOverrides });
    const desired = { ...cluster, versions: { ...cluster.versions, kubernetes: version as never } };
    const shapes = controlPlane(cluster, placeholderCredentials(cluster));
    const shape = shapes.find(({ kind, metadata }) => kind === "DaemonSet" && metadata.name === "kube-apiserver")!;
    const text = JSON.stringify(shape).replace(/(kube-apiserver:v)[\d.]+(@sha256:\w+)?/, `$1${version}`);
    const pivot = new local.Command("pivot", { create: "true" });
    const access = { kubeconfig: pulumi.output(given.kubeconfig), lacksIssuer: Promise.resolve(false) };
    const upgradable = isGuarded
        ? whenUpgradable(desired, access, pivot, new Owner())
        : { ...access, wasAsked: () => wasAsked };
    // When it is rejected, resources waiting for the provider would never end in a program of the Automation API.
    if (isGuarded) await promiseOf(upgradable.kubeconfig);
    const provider = new Provider("c", { kubeconfig: pulumi.secret(upgradable.kubeconfig), clusterIdentifier: "c" });
    const annotations: Record<string, string> =
        seconds === undefined ? { "pulumi.com/skipAwait": "true" } : { "pulumi.com/timeoutSeconds": `${seconds}` };
    const manifest = JSON.parse(text);
    const annotated = { ...manifest, metadata: { ...manifest.metadata, annotations } };
    kubernetesObject("c", annotated, {
        provider,
        hooks: { beforeUpdate: [versionHook(desired, upgradable.wasAsked)] },
    });
};

function promiseOf(output: pulumi.Output<string>): Promise<string> {
    return (output as unknown as { promise(): Promise<string> }).promise();
}

describe("kube-apiserver's version of the state, with the real engine", function () {
    this.timeout(120_000);
    let api: ApiServer;
    let engine: Engine;
    let stack: Stack;
    /** Nothing listens there. */
    let silent: string;

    /** The error of a preview; undefined if it succeeds. */
    const previewed = async (version: string, given: Partial<Given> = {}) => {
        stack.workspace.program = program({ kubeconfig: silent, version, ...given });
        const printed: string[] = [];
        try {
            await stack.preview({ onOutput: (text) => printed.push(text) });
            return "";
        } catch {
            return printed.join("");
        }
    };

    before(async () => {
        [api, engine] = await Promise.all([ApiServer.start(), Engine.start()]);
        silent = api.kubeconfig.replace(/127\.0\.0\.1:\d+/, "127.0.0.1:1");
        const first = program({ kubeconfig: api.kubeconfig, version: "1.34.6" });
        stack = await engine.stack(first);
        await up(stack, first);
    });
    after(async () => {
        engine?.stop();
        await api?.stop();
    });

    it("may be followed by the next minor version, even if the API is unreachable", async () => {
        assert.equal(await previewed("1.35.4"), "");
        assert.equal(await previewed("1.34.6"), "");
    });

    it("may not be followed by one that skips a minor version, or by an older one", async () => {
        assert.match(
            await previewed("1.36.3"),
            /c can't go from Kubernetes 1\.34\.6 to 1\.36\.3:\s+kubernetesVersion must be a release of 1\.34 or 1\.35 while kube-apiserver 1\.34\.6 runs: minor versions cannot be skipped without rollbackTo: "1\.34" \(got 1\.36\.3\)/,
        );
        assert.match(await previewed("1.33.1"), /whether 1\.33 can read its data is unknown/);
        assert.match(await previewed("1.36.3", { kubeconfig: api.kubeconfig }), /minor versions cannot be skipped/);
        assert.match(await previewed("1.36.3", { isGuarded: true }), /minor versions cannot be skipped/);
    });

    it("may be followed by any version on request", async () => {
        assert.equal(await previewed("1.36.3", { upgradeOverrides: ["version"] }), "");
    });

    it("is not changed by an up either", async () => {
        const { kubeconfig } = api;
        await assert.rejects(up(stack, program({ kubeconfig, version: "1.36.3" })), /minor versions cannot be skipped/);
        await up(stack, program({ kubeconfig, version: "1.35.4" }));
    });

    describe("after an up whose rollout of a newer one failed", () => {
        const isUnknown = /whether 1\.35 can read its data is unknown while the API is unreachable/;
        /** A pod of that version that serves. */
        const serve = async (version: string) => {
            const image = `registry.k8s.io/kube-apiserver:v${version}`;
            const containers = [{ name: "kube-apiserver", image }];
            const name = `kube-apiserver-${version}`;
            const metadata = { name, namespace: "kube-system", labels: { "k8s-app": "kube-apiserver" } };
            const spec = { automountServiceAccountToken: false, containers };
            await api.cluster.apply({ apiVersion: "v1", kind: "Pod", metadata, spec }, { fieldManager, force: false });
            const path = `/api/v1/namespaces/kube-system/pods/${name}/status`;
            const status = { conditions: [{ type: "Ready", status: "True" }] };
            const contentType = "application/merge-patch+json";
            await api.http.send({ method: "PATCH", path, contentType, body: { status } });
        };

        before(async () => {
            await serve("1.35.4");
            const members = JSON.stringify({ members: [{ name: "c-controller-0", version: "3.6.8" }] });
            const metadata = { name: "etcd-status", namespace: "kube-system" };
            const reported = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { members } };
            await api.cluster.apply(reported, { fieldManager, force: false });
            const printed = await failingUp(
                stack,
                program({ kubeconfig: api.kubeconfig, version: "1.36.3", seconds: 3 }),
            );
            assert.match(printed, /timed out waiting for the condition/);
        });

        it("applies if the cluster is unreachable", async () => {
            assert.match(await previewed("1.35.4"), isUnknown);
            assert.match(await previewed("1.35.4", { isGuarded: true }), isUnknown);
        });

        it("allows the way back if the cluster reports that the older version can read its data", async () => {
            const { kubeconfig } = api;
            await serve("1.36.3");
            const isUnreadable = /versions before 1\.35 may not read what is stored/;
            assert.match(await previewed("1.34.6", { kubeconfig, isGuarded: true }), isUnreadable);
            assert.equal(await previewed("1.35.4", { kubeconfig, isGuarded: true }), "");
            // An up takes a snapshot first, but not here.
            await up(stack, program({ kubeconfig, version: "1.35.4", wasAsked: true }));
        });
    });
});
