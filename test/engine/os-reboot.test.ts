import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { NodeAgent } from "../../agents/nodes/node-agent/agent";
import { Api } from "../../agents/nodes/node-agent/api";
import { CniPlugins } from "../../agents/nodes/node-agent/cni-plugins/plugins";
import { Kubelets } from "../../agents/nodes/node-agent/kubelet/kubelets";
import type { Kubelet, NodeAgentPlan } from "../../agents/nodes/node-agent/plan";
import { Host } from "../../agents/nodes/node-agent/reboot/host";
import { RebootApprover } from "../../agents/nodes/reboot-approver/approver";
import type { ApiClient } from "../../clients/kubernetes/api-client";
import { KubeletApi } from "../../clients/kubernetes/kubelet-api";
import { rebootAnnotation, rebootLeasePath } from "../../clients/kubernetes/reboot-turn";
import { rebootApprover, rebootApproverPlan } from "../../cluster/manifests/nodes/reboot-approver";
import { resolveOsReboots } from "../../cluster/os-reboots";
import { at, type KubernetesObject } from "../../simulator/plugins/kubernetes/object";
import { fixedCluster } from "../unit/components/in-cluster/fixture";
import { ApiServer } from "./apiserver";
import { reportKeeper, runKeeper } from "./keeper";
import { Machine } from "./node-agent/machine";
import { applyAll, clientOf, permissionsOf } from "./service-account";
import { until } from "./until";

const reboots = resolveOsReboots({ windows: ["Sun 02:00-05:00"] });
const inWindow = new Date("2096-11-25T03:00:00Z");
const outside = new Date("2096-11-25T06:00:00Z");
const kubelet: Kubelet = { version: "1.35.4", sha256: "1".repeat(64), urls: ["http://127.0.0.1:1/x"], settings: "a" };
const healthy = { members: [{ name: "m", isLearner: false }], alarms: [] };

describe("nodes whose OS requests a reboot, with a real kube-apiserver", function () {
    this.timeout(120_000);
    let api: ApiServer;
    let client: ApiClient;
    let approver: RebootApprover;
    let machines: Machine[];
    let agents: Map<Machine, NodeAgent>;
    /** Prefix of the current test: events outlive machines. */
    let test = 0;
    const seenReboots = new Map<Machine, number>();
    let pod = 0;

    const send = (method: string, path: string, body?: object) =>
        api.http.send({
            method,
            path,
            ...(body && { body }),
            ...(method === "PATCH" && { contentType: "application/merge-patch+json" }),
        } as Parameters<typeof api.http.send>[0]) as Promise<KubernetesObject>;
    const add = async (name: string, knowsReboots = true) => {
        const machine = new Machine(api, `${name}-${test}`);
        machines.push(machine);
        await machine.boot(kubelet, "kubelet", knowsReboots);
        await until(`${name} to be Ready`, async () => (await isReady(machine)) === true);
        seenReboots.set(machine, 0);
        startAgent(machine);
        return machine;
    };
    const isReady = async (machine: Machine) =>
        JSON.stringify(at(await machine.node(), "status", "conditions") ?? []).includes('"True"');
    /** Another pod, which reads the state from disk. */
    const startAgent = (machine: Machine, more: Partial<NodeAgentPlan> = {}) => {
        const limits = { settle: 0.3, ready: 3, drain: 1, reboot: 3 };
        const plan = machine.plan(kubelet, { rebootsOs: true, limits, ...more });
        const agent = new NodeAgent({
            plan,
            ownUid: `pod-${pod++}`,
            kubelets: new Kubelets(plan.directories, plan.settings),
            cniPlugins: new CniPlugins(plan.directories.cni),
            host: new Host(plan.directories.state),
            api: new Api(plan, machine.name),
            log: () => {},
        });
        agents.set(machine, agent);
        return agent;
    };
    /** The Lease's holder. */
    const holder = async () =>
        at((await send("GET", rebootLeasePath).catch(() => ({}))) as KubernetesObject, "spec", "holderIdentity");
    const isCordoned = async (machine: Machine) => at(await machine.node(), "spec", "unschedulable") === true;
    const reasons = async (machine: Machine) => (await machine.events()).map((event) => event.split(":")[0]);
    /** All agents reconcile until a condition is met. */
    const lookUntil = (what: string, isSo: () => boolean | Promise<boolean>, time = inWindow) =>
        until(what, async () => {
            await approver.reconcile(time);
            for (const machine of [...agents.keys()]) {
                // Its agent is down as well.
                if (machine.reboots !== seenReboots.get(machine)) startAgent(machine);
                seenReboots.set(machine, machine.reboots);
                await agents
                    .get(machine)!
                    .reconcile()
                    .catch(() => {});
            }
            const down = await Promise.all(machines.map(isReady));
            assert.ok(down.filter((each) => !each).length <= 1, "one at a time");
            return isSo();
        });
    const tellEtcd = (status: object) =>
        send("PATCH", "/api/v1/namespaces/kube-system/configmaps/etcd-status", {
            data: { members: JSON.stringify(status) },
        });

    before(async () => {
        api = await ApiServer.start({ controllers: ["disruption-controller"] });
        await applyAll(api, permissionsOf(rebootApprover(fixedCluster(), reboots, "text")));
        client = await clientOf(api, "reboot-approver");
        await runKeeper(api);
        const metadata = { name: "etcd-status", namespace: "kube-system" };
        await send("POST", "/api/v1/namespaces/kube-system/configmaps", {
            apiVersion: "v1",
            kind: "ConfigMap",
            metadata,
            data: { members: JSON.stringify(healthy) },
        });
    });
    beforeEach(() => {
        test += 1;
        machines = [];
        agents = new Map();
        approver = new RebootApprover(client, { ...rebootApproverPlan(reboots), daemonSets: [] }, () => {});
    });
    afterEach(async () => {
        await api.http.send({
            method: "DELETE",
            path: "/api/v1/namespaces/default/pods",
            query: { gracePeriodSeconds: "0" },
        });
        for (const machine of machines) {
            machine.isStuck = false;
            await machine.powerOff();
            await send("DELETE", `/api/v1/nodes/${machine.name}`).catch(() => {});
        }
        await send("DELETE", rebootLeasePath).catch(() => {});
    });
    after(async () => {
        client?.reconnect();
        await api?.stop();
    });

    it("reboot in a window, one after another, drained, each once", async () => {
        const [a, b] = [await add("a"), await add("b")];
        const replicas = await owner(api, "one");
        await a.run("web-0", replicas);
        a.wantReboot();
        b.wantReboot();
        await lookUntil(
            "both requests",
            async () => (await reasons(a)).length + (await reasons(b)).length === 2,
            outside,
        );
        for (let rounds = 0; rounds < 3; rounds++) await lookUntil("a reconcile", () => true, outside);
        assert.equal(await holder(), undefined, "no window is open");
        assert.deepEqual([a.reboots, b.reboots], [0, 0]);

        await lookUntil("the first", () => a.reboots === 1);
        assert.equal(await holder(), a.name, "the Lease is held across the reboot");
        assert.deepEqual(await a.pods(), [], "it was drained");
        assert.equal(await isCordoned(a), true);
        await lookUntil("the second", () => b.reboots === 1);
        assert.equal(await isCordoned(a), false);
        await lookUntil("the end", async () => (await holder()) === undefined && !(await isCordoned(b)));
        for (let rounds = 0; rounds < 5; rounds++) await lookUntil("a reconcile", () => true);
        assert.deepEqual([a.reboots, b.reboots], [1, 1]);
        for (const machine of [a, b]) {
            assert.deepEqual(await reasons(machine), ["OsRebootRequested", "OsRebooting", "OsRebooted"]);
            assert.equal(at(await machine.node(), "metadata", "annotations", rebootAnnotation), undefined);
        }
    });

    it("claim their turn, confirm it at the next reconcile, and block others meanwhile", async () => {
        const [a, b] = [await add("a"), await add("b")];
        for (const machine of [b, a]) {
            machine.wantReboot();
            await agents.get(machine)!.reconcile();
        }
        const turn = () => new Api(a.plan(kubelet), a.name).turn();
        const request = at(await a.node(), "metadata", "annotations", rebootAnnotation);
        const until = Date.parse("2096-11-25T05:00:00Z") / 1000;
        for (const again of ["the first Lease", "another turn"]) {
            await approver.reconcile(inWindow);
            assert.deepEqual(await turn(), { node: a.name, request }, again);
            await approver.reconcile(inWindow);
            assert.deepEqual(await turn(), { node: a.name, request, until }, again);
            await approver.reconcile(outside);
            assert.equal((await turn())?.node, a.name, "a turn that has started is not revoked");
            await a.patch({ metadata: { annotations: { [rebootAnnotation]: null } } });
            await approver.reconcile(outside);
            assert.equal(await turn(), undefined);
            await a.patch({ metadata: { annotations: { [rebootAnnotation]: request } } });
        }
    });

    it("wait until etcd and all other nodes are healthy, and no Job works on them", async () => {
        const [a, b] = [await add("a"), await add("b")];
        a.wantReboot();
        await tellEtcd({ ...healthy, members: [{ name: "m", isLearner: false, problem: "no answer" }] });
        await lookUntil("the request", async () => (await reasons(a)).length === 1);
        for (let rounds = 0; rounds < 3; rounds++) await lookUntil("a reconcile", () => true);
        assert.equal(await holder(), undefined);
        await tellEtcd(healthy);
        // What it reported last may no longer be so.
        await reportKeeper(api, 0);
        for (let rounds = 0; rounds < 3; rounds++) await lookUntil("a reconcile", () => true);
        assert.equal(await holder(), undefined);
        await reportKeeper(api, 1);
        const jobs = "/apis/batch/v1/namespaces/kube-system/jobs";
        const template = { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] } };
        const job = { apiVersion: "batch/v1", kind: "Job", metadata: { name: "etcd-update-x" }, spec: { template } };
        await send("POST", jobs, job);
        await send("PATCH", `${jobs}/etcd-update-x/status`, { status: { active: 1 } });
        for (let rounds = 0; rounds < 3; rounds++) await lookUntil("a reconcile", () => true);
        assert.equal(await holder(), undefined);
        await send("PATCH", `${jobs}/etcd-update-x/status`, { status: { active: 0 } });
        const sets = "/apis/apps/v1/namespaces/kube-system/daemonsets";
        const labels = { "k8s-app": "node-agent" };
        await send("POST", sets, {
            apiVersion: "apps/v1",
            kind: "DaemonSet",
            metadata: { name: "node-agent-a", labels },
            spec: {
                selector: { matchLabels: labels },
                template: { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } },
            },
        });
        const status = {
            observedGeneration: 1,
            desiredNumberScheduled: 2,
            currentNumberScheduled: 2,
            numberMisscheduled: 0,
        };
        for (const lack of [
            { updatedNumberScheduled: 1, numberReady: 2 },
            { updatedNumberScheduled: 2, numberReady: 1 },
        ]) {
            await send("PATCH", `${sets}/node-agent-a/status`, { status: { ...status, ...lack } });
            for (let rounds = 0; rounds < 3; rounds++) await lookUntil("a reconcile", () => true);
            assert.equal(await holder(), undefined);
        }
        const whole = { ...status, updatedNumberScheduled: 2, numberReady: 2 };
        await send("PATCH", `${sets}/node-agent-a/status`, { status: whole });
        await b.patch({ status: { conditions: [{ type: "Ready", status: "False" }] } }, "/status");
        for (let rounds = 0; rounds < 3; rounds++) await lookUntil("a reconcile", () => true);
        assert.equal(await holder(), undefined);
        await b.patch({ status: { conditions: [{ type: "Ready", status: "True" }] } }, "/status");
        await lookUntil("the reboot", async () => a.reboots === 1 && (await holder()) === undefined);
    });

    it("stay cordoned with a reason if they return unhealthy, and block others until they are healthy", async () => {
        const [a, b] = [await add("a"), await add("b")];
        a.isStuck = true;
        a.wantReboot();
        b.wantReboot();
        await lookUntil("the failure", () => agents.get(a)!.failure() !== undefined);
        assert.match(
            (await a.events()).at(-1)!,
            /^OsRebootFailed: .*was not Ready within 3 s\. The node stays cordoned/,
        );
        assert.deepEqual([await isCordoned(a), await holder(), b.reboots], [true, a.name, 0]);
        // It is healthy by now, but has not reconciled.
        a.isStuck = false;
        await until("it to be Ready", () => isReady(a));
        for (let rounds = 0; rounds < 3; rounds++) await lookUntil("a reconcile", () => true);
        assert.deepEqual([await isCordoned(a), b.reboots], [true, 0]);
        startAgent(a);
        await lookUntil("the other", async () => b.reboots === 1 && (await holder()) === undefined);
        assert.deepEqual([await isCordoned(a), a.reboots], [false, 1]);
    });

    it("are reported once if they do not return at all, until their Node is deleted", async () => {
        const [a, b] = [await add("a"), await add("b")];
        for (const machine of [a, b]) {
            machine.wantReboot();
            await agents.get(machine)!.reconcile();
        }
        let now = 0;
        const plan = { ...rebootApproverPlan(reboots), daemonSets: [] };
        const patient = new RebootApprover(
            client,
            plan,
            () => {},
            () => now,
        );
        await patient.reconcile(inWindow);
        await patient.reconcile(inWindow);
        await a.patch({ status: { conditions: [{ type: "Ready", status: "False" }] } }, "/status");
        for (now of [0, 899_000, 900_000, 1_000_000]) {
            await patient.reconcile(inWindow);
            const reported = (await reasons(a)).filter((reason) => reason === "OsRebootOverdue").length;
            assert.deepEqual([reported, await holder()], [now < 900_000 ? 0 : 1, a.name]);
        }
        machines = machines.filter((machine) => machine !== a);
        agents.delete(a);
        await a.powerOff();
        await send("DELETE", `/api/v1/nodes/${a.name}`);
        await lookUntil("the other", async () => b.reboots === 1 && (await holder()) === undefined);
    });

    it("yield to the next one if a budget keeps their pods", async () => {
        const [a, b] = [await add("a"), await add("b")];
        await a.run("kept-0", await owner(api, "kept"));
        await until("the pod to run", async () => (await a.pods("Running")).length === 1);
        const budgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
        const spec = { maxUnavailable: 0, selector: { matchLabels: { app: "kept" } } };
        const budget = { apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata: { name: "kept" }, spec };
        await send("POST", budgets, budget);
        await until("the budget to be computed", async () => {
            return at(await send("GET", `${budgets}/kept`), "status", "observedGeneration") === 1;
        });
        a.wantReboot();
        b.wantReboot();
        await lookUntil("the other", async () => b.reboots === 1 && (await holder()) === undefined);
        assert.match((await a.events()).at(-1)!, /^OsRebootPutOff: .*default\/kept-0 stays: 429/);
        assert.deepEqual([a.reboots, await isCordoned(a), await a.pods()], [0, false, ["kept-0"]]);
        await send("DELETE", `${budgets}/kept`);
    });

    it("reboot once, whenever their agent is killed", async () => {
        const a = await add("a");
        a.wantReboot();
        let rounds = 0;
        await lookUntil("the end", async () => {
            // It has to run briefly to observe that the node has been Ready briefly.
            if (++rounds < 12 || rounds % 8 === 0) startAgent(a);
            return a.reboots > 0 && (await holder()) === undefined && !(await isCordoned(a));
        });
        assert.equal(a.reboots, 1);
    });

    it("delay a change of another node's kubelet", async () => {
        const [a, b] = [await add("a"), await add("b")];
        a.isStuck = true;
        a.wantReboot();
        await lookUntil("the reboot", () => a.reboots === 1);
        const { gitVersion } = (await send("GET", "/version")) as unknown as { gitVersion: string };
        const version = gitVersion.replace(/^v/, "");
        const folder = join(b.folder, "kubelets", version);
        mkdirSync(folder);
        writeFileSync(join(folder, "kubelet"), "newer", { mode: 0o755 });
        const newer = { ...kubelet, version, sha256: createHash("sha256").update("newer").digest("hex") };
        startAgent(b, { desired: version, kubelets: { [version]: newer } });
        await lookUntil("the wait", () => /waiting for the reboot of a-/.test(agents.get(b)!.notReadyBecause() ?? ""));
        assert.equal(await isCordoned(b), false);
        agents.delete(a);
        a.isStuck = false;
        await until("it to be Ready", () => isReady(a));
        startAgent(a);
        await lookUntil(
            "the change",
            () => b.started.at(-1) === "newer" && agents.get(b)!.notReadyBecause() === undefined,
        );
    });

    it("report that they cannot be rebooted if they were created before that was supported", async () => {
        const a = await add("a", false);
        await lookUntil("the event", async () => (await reasons(a)).length > 0);
        assert.deepEqual(await reasons(a), ["OsRebootUnsupported"]);
        assert.equal(agents.get(a)!.notReadyBecause(), undefined);
    });

    it("cannot give themselves a turn, and the agent that gives turns changes no Node", async () => {
        const a = await add("a");
        a.wantReboot();
        await lookUntil("the turn", async () => (await holder()) === a.name);
        const { apiServers, credentials } = a.plan(kubelet);
        const own = new Api(a.plan(kubelet), a.name);
        assert.equal((await own.turn())?.node, a.name);
        const node = new KubeletApi(apiServers, credentials, "test");
        const patch = { method: "PATCH", contentType: "application/merge-patch+json" } as const;
        const body = { spec: { holderIdentity: "b" } };
        await assert.rejects(node.call(rebootLeasePath, { ...patch, body }), /403/);
        await assert.rejects(
            client.call(`/api/v1/nodes/${a.name}`, { ...patch, body: { spec: { unschedulable: true } } }),
            /403/,
        );
    });
});

/** No controller handles it, and its objects are not garbage collected. */
async function owner(api: ApiServer, name: string): Promise<object> {
    const selector = { matchLabels: { app: name } };
    const template = { metadata: { labels: { app: name } }, spec: { containers: [{ name: "c", image: "i" }] } };
    const spec = { replicas: 1, selector, template };
    const body = { apiVersion: "apps/v1", kind: "ReplicaSet", metadata: { name }, spec };
    const path = "/apis/apps/v1/namespaces/default/replicasets";
    const { metadata } = (await api.http.send({ method: "POST", path, body })) as KubernetesObject;
    return { apiVersion: "apps/v1", kind: "ReplicaSet", name, uid: metadata!.uid, controller: true };
}
