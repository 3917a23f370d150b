import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasEnded } from "../../../../../agents/boot/bootstrap/apply";
import { bootstrap } from "../../../../../agents/boot/bootstrap/bootstrap";
import { type Recovery, recoveryStepNames, type StepName, stepNames } from "../../../../../agents/boot/bootstrap/plan";
import { readStages } from "./agent-process";
import { lostCluster } from "./lost-cluster";
import type { Scene } from "./scene";

const namespace = "/api/v1/namespaces/kube-system";
const dns = "/apis/apps/v1/namespaces/kube-system/daemonsets/dns";
const lease = (node: string) => `/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/${node}`;
const recovery: Recovery = { id: "1", from: "etcd", isHeld: false, nodes: ["controller-1"] };

function recover(
    { plan, lines }: Scene,
    change: Partial<Recovery> = {},
    timeouts: Partial<Record<StepName, number>> = {},
): Promise<void> {
    return bootstrap({ ...plan, timeouts, recovery: { ...recovery, ...change } }, (line) => lines.push(line));
}

async function eventually(isSo: () => boolean): Promise<void> {
    for (const deadline = performance.now() + 10_000; !isSo(); ) {
        assert.ok(performance.now() < deadline, "not within 10 s");
        await new Promise((resolve) => setTimeout(resolve, 10));
    }
}

describe("a recovery", function () {
    this.timeout(30_000);
    let scene: Scene;
    const applied = () => scene.machine.api.requests.filter((line) => /^PATCH .*force=true/.test(line));

    beforeEach(async () => {
        scene = await lostCluster();
    });

    afterEach(() => scene.end());

    it("restores the cluster's own control plane, and applies nothing that exists", async () => {
        await recover(scene);
        await scene.machine.waitUntilRunning(scene.plan.selfHosted.map(({ name }) => `self-hosted/${name}`));
        assert.deepEqual(applied(), []);
        assert.ok(existsSync(scene.stamp));
        assert.equal(existsSync(join(scene.plan.directories.assets, "secrets")), false);
    });

    it("has more steps than a bootstrap: after the API serves, after the Node is a controller and before the end", async () => {
        await recover(scene);
        const [takeOver, stale, held, readmit] = recoveryStepNames;
        const names: StepName[] = [...stepNames];
        names.splice(names.indexOf("wait-for-api") + 1, 0, takeOver);
        names.splice(names.indexOf("label-node") + 1, 0, stale, held);
        names.splice(names.indexOf("record-pivot"), 0, readmit);
        const done = readStages(scene.stages).filter(({ event }) => event === "done");
        assert.deepEqual(
            done.map(({ step }) => step),
            names,
        );
    });

    it("does not touch what exists, even if the cluster has lost its pivot record", async () => {
        const record = `${namespace}/configmaps/tradewind-bootstrap`;
        scene.machine.api.objects.delete(record);
        await recover(scene);
        assert.deepEqual(
            applied().map((line) => /[^/]+(?=\?)/.exec(line)?.[0]),
            ["tradewind-bootstrap"],
        );
        assert.ok(scene.machine.api.objects.has(record));
    });

    it("applies what is missing, of the control plane and of the add-ons", async () => {
        scene.machine.api.objects.delete(dns);
        scene.machine.api.objects.delete(`${namespace}/secrets/bootstrap-token-abcdef`);
        await recover(scene);
        assert.deepEqual(
            applied().map((line) => /[^/]+(?=\?)/.exec(line)?.[0]),
            ["bootstrap-token-abcdef", "dns"],
        );
        assert.ok(scene.lines.some((line) => line.includes("1 of 1 objects were missing: DaemonSet kube-system/dns")));
    });

    it("replaces a broken copy, although the kubelet has not reached the API since its start", async () => {
        const file = "checkpoint-kube-system.kube-apiserver.json";
        writeFileSync(join(scene.plan.directories.staticPods, file), '{"kind": "Pod"}');
        await eventually(() => scene.machine.hasStaticPod(file));
        await recover(scene);
        assert.ok(existsSync(scene.stamp));
    });

    it("makes a Node a controller again, and restarts the kubelet to find its pods at once", async () => {
        const { objects } = scene.machine.api;
        objects.set("/api/v1/nodes/controller-1", { kind: "Node", metadata: { name: "controller-1" } });
        await recover(scene);
        const labels = objects.get("/api/v1/nodes/controller-1")?.metadata.labels;
        assert.deepEqual(labels, { "node-role.kubernetes.io/control-plane": "" });
        assert.equal(scene.machine.restarts, 1);
    });

    describe("on a cloud machine that replaces another", () => {
        const path = "/api/v1/nodes/controller-1";
        const told = (providerID?: string) => {
            const kubeletIdentity = join(scene.plan.directories.state, "20-provider-id.conf");
            if (providerID) writeFileSync(kubeletIdentity, JSON.stringify({ providerID }));
            return { ...scene, plan: { ...scene.plan, kubeletIdentity } } as Scene;
        };
        const nodeOf = (providerID?: string) => {
            const node = scene.machine.api.objects.get(path)!;
            scene.machine.api.objects.set(path, { ...node, spec: { providerID }, old: true });
        };
        const deleted = () => scene.machine.api.requests.filter((line) => line.startsWith(`DELETE ${path}`));

        it("makes the kubelet register again, since a Node's identity and addresses do not change", async () => {
            nodeOf("aws:///a/i-1");
            await recover(told("aws:///a/i-2"));
            const node = scene.machine.api.objects.get(path)!;
            assert.equal(node.old, undefined);
            assert.deepEqual(Object.keys(node.metadata.labels!), Object.keys(scene.plan.controllerLabels));
            assert.equal(scene.machine.restarts, 1);
        });

        it("keeps the Node of this very machine, and one without an identity", async () => {
            nodeOf("aws:///a/i-2");
            await recover(told("aws:///a/i-2"));
            assert.deepEqual(deleted(), []);
            assert.equal(scene.machine.api.objects.get(path)!.old, true);
        });

        it("waits until the machine has its identity", async () => {
            nodeOf("aws:///a/i-1");
            const recovered = recover(told());
            await eventually(
                () => existsSync(scene.stages) && readStages(scene.stages).some(({ step }) => step === "label-node"),
            );
            assert.deepEqual(deleted(), []);
            told("aws:///a/i-1");
            await recovered;
            assert.deepEqual(deleted(), []);
        });
    });

    it("removes unknown Nodes, unless their kubelets are alive", async () => {
        const { objects } = scene.machine.api;
        for (const name of ["gone", "alive"]) {
            objects.set(`/api/v1/nodes/${name}`, { kind: "Node", metadata: { name } });
        }
        let renewals = 0;
        const beat = setInterval(() => {
            renewals += 1;
            objects.set(lease("alive"), { kind: "Lease", metadata: { name: "alive" }, spec: { renewTime: renewals } });
        }, 10);
        await recover(scene, {}, { "remove-stale-nodes": 2.5 }).finally(() => clearInterval(beat));
        assert.equal(objects.has("/api/v1/nodes/gone"), false);
        assert.ok(objects.has("/api/v1/nodes/alive") && objects.has("/api/v1/nodes/controller-1"));
        assert.ok(scene.lines.some((line) => /removed gone; unknown but alive, so kept: alive/.test(line)));
    });

    it("removes none if machines scale by themselves", async () => {
        const { objects } = scene.machine.api;
        objects.set("/api/v1/nodes/gone", { kind: "Node", metadata: { name: "gone" } });
        await recover(scene, { hasOtherNodes: true }, { "remove-stale-nodes": 1 });
        assert.ok(objects.has("/api/v1/nodes/gone"));
    });

    for (const [from, left] of [
        ["snapshot", ["join-1", "web"]],
        ["etcd", ["join-1", "join-2", "web"]],
    ] as const) {
        it(`from ${from} ${left.length === 2 ? "makes the other controllers rejoin etcd" : "leaves etcd as it is"}`, async () => {
            const { objects } = scene.machine.api;
            const pod = (name: string, nodeName: string, labels: Record<string, string>) =>
                objects.set(`${namespace}/pods/${name}`, {
                    kind: "Pod",
                    metadata: { name, labels },
                    spec: { nodeName },
                });
            pod("join-1", "controller-1", { "k8s-app": "etcd-join" });
            pod("join-2", "controller-2", { "k8s-app": "etcd-join" });
            pod("web", "controller-2", { "k8s-app": "web" });
            await recover(scene, { from });
            assert.deepEqual(
                ["join-1", "join-2", "web"].filter((name) => objects.has(`${namespace}/pods/${name}`)),
                left,
            );
        });
    }

    it("completes although the control plane has come back by itself, so that its copy was stopped", async () => {
        scene.machine.healsItself = true;
        await recover(scene, {}, { "wait-for-api": 2 });
        assert.ok(existsSync(scene.stamp));
    });

    it("keeps the control plane that runs from checkpoints until it is released", async () => {
        const { state } = scene.plan.directories;
        const end = recover(scene, { isHeld: true });
        await eventually(() => existsSync(join(state, "held")));
        assert.ok(scene.machine.running.includes("copy/kube-apiserver"));
        assert.equal(existsSync(scene.stamp), false);
        writeFileSync(join(state, "released"), "");
        await end;
        assert.ok(!scene.machine.running.includes("copy/kube-apiserver"));
    });

    it("resumes after a failed run, with the copies still running", async () => {
        scene.machine.podStatus = () => ({ phase: "Pending" });
        await assert.rejects(recover(scene, {}, { "wait-for-self-hosted": 0.5 }), /wait-for-self-hosted: waited/);
        assert.ok(scene.machine.running.includes("copy/kube-apiserver"));
        scene.machine.podStatus = undefined;
        await recover(scene);
        await scene.machine.waitUntilRunning(scene.plan.selfHosted.map(({ name }) => `self-hosted/${name}`));
    });
});

describe("a bootstrap token", () => {
    const token = (expiration?: string, type = "bootstrap.kubernetes.io/token") => ({
        apiVersion: "v1",
        kind: "Secret",
        metadata: { name: "t" },
        type,
        data: { ...(expiration && { expiration: Buffer.from(expiration).toString("base64") }) },
    });
    const now = Date.parse("2026-11-21T10:00:00Z");

    it("has expired after its time, which no other Secret ever has", () => {
        assert.equal(hasEnded(token("2026-11-21T09:59:59Z"), now), true);
        assert.equal(hasEnded(token("2026-11-21T10:00:01Z"), now), false);
        assert.equal(hasEnded(token(), now), false);
        assert.equal(hasEnded(token("2026-11-21T09:59:59Z", "Opaque"), now), false);
    });
});
