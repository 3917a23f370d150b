import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import type { Stack } from "@pulumi/pulumi/automation";
import { type GuardReport, guardRecord } from "../../agents/upgrade-guard/record";
import { ApiClient, patch, readKubeconfig } from "../../clients/kubernetes/api-client";
import type { ConfigMap, DaemonSet } from "../../clients/kubernetes/objects";
import type { Cluster } from "../../cluster/model";
import { UpgradeOrder } from "../../cluster/upgrades/order";
import { SelfHosted } from "../../components/in-cluster/control-plane";
import { changeRecord, lastUpgrade } from "../../components/upgrade/guard-record";
import { beginGuarded } from "../../components/upgrade/soak";
import { walkedTemplates } from "../../components/upgrade/walk";
import { fakeCredentials, versionedCluster } from "../unit/components/in-cluster/fixture";
import { ApiServer } from "./apiserver";
import { FakeNode } from "./kubernetes-fixture/fake-node";
import { failingUp, preview, up } from "./kubernetes-fixture/run";
import { Engine } from "./kubernetes-fixture/stack";

const names = ["kube-apiserver", "kube-controller-manager", "kube-scheduler"] as const;
const configMaps = "/api/v1/namespaces/kube-system/configmaps";
const breach = { what: "p99 of writes", before: "12 ms", after: "480 ms", limit: "60 ms", at: "2026-11-29T12:00:03Z" };

describe("the soak of a guarded upgrade, with the real engine", function () {
    this.timeout(240_000);
    let server: ApiServer;
    let engine: Engine;
    let node: FakeNode;
    let stack: Stack;
    let api: ApiClient;

    const of = (version: string, image?: string): Cluster => {
        const cluster = versionedCluster(version);
        return image ? { ...cluster, images: { ...cluster.images, kubeApiserver: image } } : cluster;
    };
    /** The control plane, and the next step, which has the version as its contents. */
    const program = (cluster: Cluster) => async () => {
        const provider = new k8s.Provider("pivot", { kubeconfig: server.kubeconfig, clusterIdentifier: "pivot" });
        const pivot = new k8s.core.v1.ConfigMap("pivot", {}, { provider });
        const order = new UpgradeOrder<pulumi.Resource>();
        const { provider: own } = new SelfHosted("c", {
            ...{ cluster, pivot, order, tokens: [], deletedWith: pivot, wasAsked: () => true },
            credentials: pulumi.secret(fakeCredentials(cluster)),
            kubeconfig: pulumi.output(server.kubeconfig),
        });
        const dependsOn = order.before("addons").then((parts) => [...parts]);
        const metadata = { name: "next", namespace: "kube-system" };
        const data = { version: cluster.versions.kubernetes };
        new k8s.core.v1.ConfigMap("next", { metadata, data }, { provider: own, dependsOn });
    };
    /** As the checks of an `up` do, with a guard that has seen it. */
    const begin = async (cluster: Cluster, from: string) => {
        await beginGuarded(api, cluster, { from, before: (await walkedTemplates(api))!, isOnTheWay: false });
        await report({ state: "guarding" });
    };
    const report = async (what: Pick<GuardReport, "state"> & Partial<GuardReport>) => {
        const { id } = (await lastUpgrade(api))!.record;
        const text = JSON.stringify({ id, since: new Date().toISOString(), ...what });
        await patch(api, `${configMaps}/${guardRecord.name}?fieldManager=guard`, "merge", {
            data: { [guardRecord.reportKey]: text },
        });
    };
    const nextVersion = async () => (await api.call<ConfigMap>(`${configMaps}/next`)).data?.version;
    const versions = async () =>
        Promise.all(
            names.map(async (name) => {
                const { spec } = await api.call<DaemonSet>(`/apis/apps/v1/namespaces/kube-system/daemonsets/${name}`);
                return /:v(.*)$/.exec(spec!.template.spec.containers.find((each) => each.name === name)!.image)![1];
            }),
        );
    const until = async (what: string, isMet: () => Promise<boolean>) => {
        for (const deadline = Date.now() + 60_000; !(await isMet()); await sleep(100)) {
            assert.ok(Date.now() < deadline, `waited 60 s until ${what}`);
        }
    };
    const untilSoaking = () =>
        until("the soak begins", async () => (await lastUpgrade(api))?.record.rolledOut !== undefined);

    before(async () => {
        [server, engine] = await Promise.all([
            ApiServer.start({ controllers: ["daemonset-controller"] }),
            Engine.start(),
        ]);
        node = new FakeNode(server);
        await node.start();
        const { server: url, credentials } = readKubeconfig(server.kubeconfig);
        api = new ApiClient(url, () => credentials);
        const role = { metadata: { labels: { "node-role.kubernetes.io/control-plane": "" } } };
        await patch(api, "/api/v1/nodes/fake", "merge", role);
        stack = await engine.stack(program(of("1.35.4")));
        await up(stack, program(of("1.35.4")));
    });
    after(async () => {
        await node?.stop();
        api?.reconnect();
        engine?.stop();
        await server?.stop();
    });

    it("is nothing that a new cluster waits for, nor an up without an upgrade", async () => {
        assert.equal(await nextVersion(), "1.35.4");
        assert.equal(await lastUpgrade(api), undefined);
        assert.deepEqual((await up(stack, program(of("1.35.4")))).changes, {});
    });

    it("keeps the next step waiting, goes on after an interruption, and ends with the guard's report", async () => {
        await begin(of("1.36.3"), "1.35.4");
        const first = failingUp(stack, program(of("1.36.3")));
        await untilSoaking();
        const { rolledOut } = (await lastUpgrade(api))!.record;
        assert.deepEqual(await versions(), ["1.36.3", "1.36.3", "1.36.3"]);
        assert.equal(await nextVersion(), "1.35.4");
        // It ends there, as if it were interrupted.
        await report({ state: "rolling-back" });
        await first;
        await report({ state: "guarding" });

        let printed = "";
        const again = up(stack, program(of("1.36.3")), (text) => {
            printed += text;
        });
        await until("it waits again", async () => /watches Kubernetes 1\.36\.3 for [1-5]\d s more/.test(printed));
        assert.equal(await nextVersion(), "1.35.4");
        await report({ state: "passed" });
        const { text } = await again;
        assert.match(text, /Kubernetes 1\.36\.3: the soak of 60 s ended, and nothing got worse/);
        assert.equal(await nextVersion(), "1.36.3");
        assert.equal((await lastUpgrade(api))!.record.rolledOut, rolledOut);
        assert.deepEqual((await preview(stack, program(of("1.36.3")))).changes, {});
    });

    it("ends early for an operator, with a patch release too", async () => {
        await begin(of("1.36.4"), "1.36.3");
        const upgrade = up(stack, program(of("1.36.4")));
        await untilSoaking();
        await changeRecord(api, () => ({ isAccepted: true }));
        assert.match((await upgrade).text, /Kubernetes 1\.36\.4: the soak was ended early/);
        assert.equal(await nextVersion(), "1.36.4");
    });

    it("ends with an error if the guard takes the upgrade back, and the earlier version then works", async () => {
        await begin(of("1.36.5"), "1.36.4");
        const upgrade = failingUp(stack, program(of("1.36.5")));
        await untilSoaking();
        const { before } = (await lastUpgrade(api))!.record;
        for (const name of names) {
            const path = `/apis/apps/v1/namespaces/kube-system/daemonsets/${name}?fieldManager=tradewind-bootstrap`;
            await patch(api, path, "json", [{ op: "replace", path: "/spec/template", value: before[name] }]);
        }
        await report({ state: "rolled-back", breach });
        assert.match(
            await upgrade,
            /c: the upgrade guard took Kubernetes 1\.36\.5 back to 1\.36\.4: p99 of writes became 480 ms \(before: 12 ms, limit: 60 ms\)/,
        );
        assert.equal(await nextVersion(), "1.36.4");
        const { text } = await up(stack, program(of("1.36.4")));
        assert.doesNotMatch(text, /undoing that/);
        assert.deepEqual(await versions(), ["1.36.4", "1.36.4", "1.36.4"]);
        assert.deepEqual((await preview(stack, program(of("1.36.4")))).changes, {});
    });

    it("does not begin if the guard takes kube-apiserver back: its controllers do not change, and up fails at once", async () => {
        const slow = of("1.36.6", "registry.example/slow/kube-apiserver:v1.36.6");
        await begin(slow, "1.36.4");
        node.holdSlowPods(true);
        const upgrade = failingUp(stack, program(slow));
        await until("kube-apiserver changes", async () => (await versions())[0] === "1.36.6");
        const { before } = (await lastUpgrade(api))!.record;
        await report({ state: "rolling-back", breach });
        const path = "/apis/apps/v1/namespaces/kube-system/daemonsets/kube-apiserver?fieldManager=tradewind-bootstrap";
        const began = Date.now();
        await patch(api, path, "json", [{ op: "replace", path: "/spec/template", value: before["kube-apiserver"] }]);
        await report({ state: "rolled-back", breach });
        assert.match(await upgrade, /c: the upgrade guard took Kubernetes 1\.36\.6 back to 1\.36\.4/);
        // The rollout's time-out is five minutes.
        assert.ok(Date.now() - began < 60_000);
        assert.deepEqual(await versions(), ["1.36.4", "1.36.4", "1.36.4"]);
        assert.equal((await lastUpgrade(api))!.record.rolledOut, undefined);
    });
});
