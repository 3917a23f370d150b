import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import type { Stack } from "@pulumi/pulumi/automation";
import { readKubeconfig } from "../../clients/kubernetes/api-client";
import type { LastingCredentials } from "../../cluster/keys/credentials";
import { keysAnnotations } from "../../cluster/keys/lists";
import { fieldManager } from "../../cluster/manifest";
import { credentialFiles } from "../../cluster/manifests/control-plane/secrets";
import { resolveCluster } from "../../cluster/resolve";
import { adminKubeconfig } from "../../components/cluster";
import { Pki } from "../../components/pki/pki";
import { whenUpgradable } from "../../components/upgrade/guard";
import type { KubernetesObject } from "../../simulator/plugins/kubernetes/object";
import { ApiServer } from "./apiserver";
import { up } from "./kubernetes-fixture/run";
import { Engine } from "./kubernetes-fixture/stack";

class Owner extends pulumi.ComponentResource {
    constructor() {
        super("test:index:Owner", "c");
    }
}

const clusterOf = (kubernetesCa: number[]) =>
    resolveCluster({ name: "c", keys: { kubernetesCa, encryption: ["plain"] } });

describe("the stack's access to a cluster whose Kubernetes CA changes, with the real engine", function () {
    this.timeout(180_000);
    const folder = mkdtempSync(join(tmpdir(), "tradewind-access-"));
    let api: ApiServer;
    let engine: Engine;
    let stack: Stack;
    let url: string;
    let testCa: string;
    let issued: LastingCredentials;

    /** @param isGuarded - checks the cluster first, as a stack does before it changes anything in it */
    const program = (kubernetesCa: number[], isGuarded: boolean) => async () => {
        const cluster = clusterOf(kubernetesCa);
        const owner = new Owner();
        const pki = new Pki("c", { cluster, pools: ["controller"] });
        const controllers = [{ name: "c-controller-0", address: "10.0.0.11" }];
        const { access, lasting } = pki.issue({ controllers, apiAddresses: [] });
        const pivot = new local.Command("pivot", { create: "true" });
        lasting.apply((credentials) => {
            issued = credentials;
        });
        const given = { kubeconfig: adminKubeconfig(cluster, url, access), lacksIssuer: pki.lacksIssuer };
        return { access: isGuarded ? whenUpgradable(cluster, given, pivot, owner).kubeconfig : "" };
    };
    /** The output of a preview, and its operations by resource type. */
    const previewed = async (...kubernetesCa: number[]) => {
        stack.workspace.program = program(kubernetesCa, true);
        const reported: string[] = [];
        const warnings: string[] = [];
        const changes = new Set<string>();
        await stack.preview({
            onEvent: ({ diagnosticEvent, resourcePreEvent }) => {
                if (diagnosticEvent) reported.push(diagnosticEvent.message);
                if (diagnosticEvent?.severity === "warning") warnings.push(diagnosticEvent.message);
                const { op = "same", type = "" } = resourcePreEvent?.metadata ?? {};
                if (op !== "same") changes.add(`${op} ${type.split(":").at(-1)}`);
            },
        });
        return { reported: reported.join("\n"), warnings, changes: [...changes] };
    };
    /** An `up`, after which the cluster is in the requested state. */
    const step = async (...kubernetesCa: number[]) => {
        await up(stack, program(kubernetesCa, false));
        const cluster = clusterOf(kubernetesCa);
        const files = credentialFiles(cluster, "kube-apiserver", issued);
        const shown = ["apiserver.crt", "apiserver.key"].map((name) => {
            writeFileSync(join(folder, name), files[name]!, { mode: 0o600 });
            return join(folder, name);
        });
        // At its own address the server stays unchanged, for the other tests.
        await api.replaceApi({ "client-ca-file": { name: "client-ca.crt", text: files["ca.crt"]! + testCa } }, [
            `--tls-sni-cert-key=${shown.join(",")}`,
        ]);
        const labels = { "k8s-app": "kube-apiserver" };
        const containers = [{ name: "kube-apiserver", image: cluster.images.kubeApiserver }];
        const daemonSet = {
            apiVersion: "apps/v1",
            kind: "DaemonSet",
            metadata: { name: "kube-apiserver", namespace: "kube-system" },
            spec: {
                selector: { matchLabels: labels },
                template: {
                    metadata: { labels, annotations: keysAnnotations(cluster.keys) },
                    spec: { containers },
                },
            },
        };
        await api.cluster.apply(daemonSet as unknown as KubernetesObject, { fieldManager, force: false });
    };
    const isNotThere = /keys\.kubernetesCa must be a list that begins with an existing generation: 2 must be trusted/;
    const isNotShown = /keys\.kubernetesCa must be a list with the CA of kube-apiserver's certificate/;

    before(async () => {
        [api, engine] = await Promise.all([ApiServer.start(), Engine.start()]);
        const { server, credentials } = readKubeconfig(api.kubeconfig);
        url = server.replace("127.0.0.1", "localhost");
        testCa = credentials.ca;
        stack = await engine.stack(program([1], false));
        await step(1);
    });
    after(async () => {
        engine?.stop();
        await api?.stop();
        rmSync(folder, { recursive: true });
    });

    it("works in the preview of another CA, which is not known yet", async () => {
        const { reported, changes } = await previewed(1, 2);
        assert.match(reported, /keys\.kubernetesCa: 2 is now accepted; then \[2,1\]/);
        assert.deepEqual(
            changes.filter((change) => !change.startsWith("create ")),
            [],
        );
    });

    it("is rejected with a CA unknown to the cluster", async () => {
        await assert.rejects(previewed(2, 1), isNotThere);
        await assert.rejects(previewed(2), isNotThere);
    });

    it("uses the next CA in the step in which it issues, which changes certificates but no key", async () => {
        await step(1, 2);
        const { reported, changes } = await previewed(2, 1);
        assert.match(reported, /keys\.kubernetesCa: 2 issues .* instead of 1; then \[2\]/);
        assert.deepEqual(
            changes.filter((change) => !change.endsWith(" LocallySignedCert")),
            [],
        );
        await assert.rejects(previewed(2), isNotShown);
    });

    it("works both ways once it has issued", async () => {
        await step(2, 1);
        assert.match((await previewed(2)).reported, /keys\.kubernetesCa: 1 is no longer accepted/);
        assert.match((await previewed(1, 2)).reported, /keys\.kubernetesCa: 1 issues .* instead of 2/);
    });

    it("only uses that one in the end, with nothing left to change", async () => {
        await step(2);
        assert.deepEqual((await previewed(2)).changes, []);
        await assert.rejects(previewed(1), /a list that begins with an existing generation: 1 must be trusted/);
    });

    it("warns once while the cluster is unreachable, in a preview without changes", async () => {
        await api.stopApi();
        const { warnings, changes } = await previewed(2);
        assert.deepEqual([warnings.length, changes], [1, []]);
        assert.match(
            warnings[0]!,
            /c: upgrade checks were skipped because the API is unreachable: .*ECONNREFUSED.*; run .+\n$/,
        );
    });
});
