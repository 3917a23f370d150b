import assert from "node:assert/strict";
import { bootstrap } from "../../../../../agents/boot/bootstrap/bootstrap";
import { memberLabel } from "../../../../../agents/nodes/promoter/plan";
import { type Controllers, controllersKey } from "../../../../../agents/nodes/promoter/record";
import { leavingAnnotation } from "../../../../../clients/kubernetes/nodes";
import { lostCluster } from "./lost-cluster";
import type { Scene } from "./scene";

const role = "node-role.kubernetes.io/control-plane";
const nodes = "/api/v1/nodes";
const system = "/api/v1/namespaces/kube-system";
const config = `${system}/configmaps/controllers`;
const replaces = ["c-controller-0", "c-controller-1", "c-default-1", "c-default-2"];
const recovery = { id: "1", from: "snapshot", isHeld: false, nodes: ["controller-1", ...replaces], replaces };

function recover({ plan, lines }: Scene): Promise<void> {
    return bootstrap({ ...plan, recovery }, (line) => lines.push(line));
}

describe("a candidate that continues the cluster from a snapshot", function () {
    this.timeout(30_000);
    let scene: Scene;
    const objects = () => scene.machine.api.objects;
    const metadata = (name: string) => objects().get(`${nodes}/${name}`)!.metadata;
    const add = (name: string, labels: Record<string, string>, annotations = {}) =>
        objects().set(`${nodes}/${name}`, { kind: "Node", metadata: { name, uid: name, labels, annotations } });
    const write = (record: Controllers, more = {}) =>
        objects().set(config, {
            kind: "ConfigMap",
            metadata: { name: "controllers" },
            data: { [controllersKey]: JSON.stringify(record), ...more },
        });
    const data = () => objects().get(config)!.data as Record<string, string>;
    const roles = () => {
        const record: Controllers = JSON.parse(data()[controllersKey]!);
        return Object.fromEntries(Object.entries(record).map(([name, entry]) => [name, entry.role]));
    };

    beforeEach(async () => {
        scene = await lostCluster();
        add("c-controller-0", { [role]: "", zone: "a" });
        add("c-default-1", {});
    });
    afterEach(() => scene.end());

    it("is recorded as the controller, and the lost one as one that leaves, although there was no record", async () => {
        await recover(scene);
        assert.deepEqual(roles(), { "c-controller-0": "leaving", "controller-1": "controller" });
        assert.match(data()["demoted.c-controller-0"]!, /^lost, /);
        const lost = metadata("c-controller-0");
        assert.deepEqual(lost.labels, { zone: "a", [memberLabel]: "leaving" });
        assert.deepEqual(lost.annotations, { [leavingAnnotation]: "taken-over" });
        assert.deepEqual(metadata("c-default-1").labels, {});
        const events = scene.machine.api.requests.filter((line) => line === "POST /api/v1/namespaces/default/events");
        assert.ok(events.length >= 1);
    });

    it("replaces every node that was a controller or became one, and leaves candidates and what was excluded", async () => {
        const since = "2026-11-30T00:00:00Z";
        add("c-default-2", { [role]: "", [memberLabel]: "joining" });
        write(
            {
                "c-controller-0": { role: "candidate", since, why: "demoted", excluded: "requested" },
                "c-default-1": { role: "joining", since, why: "added" },
                "c-default-2": { role: "controller", since, why: "added" },
            },
            { "demoted.controller-1": "failed", progress: "waits" },
        );
        add("c-controller-0", {});
        await recover(scene);
        assert.deepEqual(roles(), {
            "c-controller-0": "candidate",
            "c-default-1": "leaving",
            "c-default-2": "leaving",
            "controller-1": "controller",
        });
        assert.deepEqual(Object.keys(data()).sort(), [controllersKey, "demoted.c-default-1", "demoted.c-default-2"]);
        assert.deepEqual(metadata("c-default-2").labels, { [memberLabel]: "leaving" });
    });

    it("replaces a record that cannot be read", async () => {
        write({}, { [controllersKey]: "{" });
        await recover(scene);
        assert.deepEqual(roles(), { "c-controller-0": "leaving", "controller-1": "controller" });
    });

    it("is not cleaned up, although the snapshot is from when it was", async () => {
        add("controller-1", { [memberLabel]: "leaving" }, { [leavingAnnotation]: "true" });
        const pod = `${system}/pods/node-demotion-1`;
        const labels = { "k8s-app": "node-demotion" };
        objects().set(pod, {
            kind: "Pod",
            metadata: { name: "node-demotion-1", labels },
            spec: { nodeName: "controller-1" },
        });
        await recover(scene);
        assert.equal(metadata("controller-1").labels![memberLabel], "joining");
        assert.deepEqual(metadata("controller-1").annotations, {});
        assert.equal(objects().has(pod), false);
    });

    it("leaves what node-promoter did since then alone when it resumes", async () => {
        scene.machine.podStatus = () => ({ phase: "Pending" });
        const plan = { ...scene.plan, recovery, timeouts: { "wait-for-self-hosted": 0.5 } };
        await assert.rejects(
            bootstrap(plan, () => {}),
            /wait-for-self-hosted/,
        );
        const since = "2026-11-30T00:00:00Z";
        write({ "c-controller-0": { role: "candidate", since, why: "cleaned up" } });
        scene.machine.podStatus = undefined;
        await recover(scene);
        assert.deepEqual(roles(), { "c-controller-0": "candidate" });
    });
});
