import assert from "node:assert/strict";
import { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import type { Stack } from "@pulumi/pulumi/automation";
import { patch } from "../../clients/kubernetes/api-client";
import { withKubeconfig } from "../../clients/kubernetes/checked-client";
import { fieldManager } from "../../cluster/manifest";
import { LocalDataHooks } from "../../components/upgrade/local-data-hooks";
import type { KubernetesObject } from "../../simulator/plugins/kubernetes/object";
import { localVolume } from "../unit/components/upgrade/illegal/local-data";
import { ApiServer } from "./apiserver";
import { up } from "./kubernetes-fixture/run";
import { Engine } from "./kubernetes-fixture/stack";

const node = "c-a-0";

/** A machine of a cluster with this kubeconfig. */
const program =
    (kubeconfig: string, upgradeOverrides: readonly "local-data"[] = []) =>
    async () => {
        const localData = new LocalDataHooks({ name: "c", upgradeOverrides });
        localData.reachBy(pulumi.output(kubeconfig));
        new local.Command(node, { create: "true" }, { hooks: localData.ofMachine, deleteBeforeReplace: true });
    };

describe("a machine whose disk holds data, with the real engine and API", function () {
    this.timeout(120_000);
    let api: ApiServer;
    let engine: Engine;
    let stack: Stack;

    /** Output of a preview that replaces the machine. */
    const previewed = async (act: () => Promise<void>) => {
        stack.workspace.program = act;
        const urn = `urn:pulumi:${stack.name}::test::command:local:Command::${node}`;
        const told: string[] = [];
        const isRefused = await stack.preview({ replace: [urn], onOutput: (text) => told.push(text) }).then(
            () => false,
            () => true,
        );
        return { isRefused, text: told.join("") };
    };

    before(async () => {
        [api, engine] = await Promise.all([ApiServer.start(), Engine.start()]);
        const apply = (object: object) => api.cluster.apply(object as KubernetesObject, { fieldManager, force: false });
        const labels = { "kubernetes.io/hostname": node };
        await apply({ apiVersion: "v1", kind: "Node", metadata: { name: node, labels } });
        const { status: _, ...volume } = localVolume(node);
        const sized = { ...(volume.spec as object), capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"] };
        await apply({ apiVersion: "v1", ...volume, spec: { ...sized, persistentVolumeReclaimPolicy: "Retain" } });
        await withKubeconfig(api.kubeconfig, "test", (client) =>
            patch(client, `/api/v1/persistentvolumes/${volume.metadata.name}/status`, "merge", {
                status: { phase: "Bound" },
            }),
        );
        stack = await engine.stack(program(api.kubeconfig));
        await up(stack, program(api.kubeconfig));
    });
    after(async () => {
        engine?.stop();
        await api?.stop();
    });

    it("is not replaced in a preview, which names the claim", async () => {
        const { isRefused, text } = await previewed(program(api.kubeconfig));
        assert.ok(isRefused, text);
        assert.match(
            text,
            /c can't replace this machine:\n.*c-a-0 would be replaced, and the data of claims default\/data-db-0/s,
        );
        assert.match(text, /upgradeOverrides: \[local-data\]/);
    });

    it("is replaced with the override, which warns", async () => {
        const { isRefused, text } = await previewed(program(api.kubeconfig, ["local-data"]));
        assert.ok(!isRefused, text);
        assert.match(text, /warning: c-a-0 would be replaced, .*\(upgradeOverrides: local-data\)/);
    });

    it("is not checked while the API does not answer, as the checks of upgrades report", async () => {
        const silent = api.kubeconfig.replace(/127\.0\.0\.1:\d+/, "127.0.0.1:1");
        const { isRefused, text } = await previewed(program(silent));
        assert.ok(!isRefused, text);
        assert.match(text, /data on disks of machines was not checked/);
    });

    it("is destroyed without the program", async () => {
        await stack.destroy();
    });
});
