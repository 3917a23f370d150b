import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { NodeAgent } from "../../agents/nodes/node-agent/agent";
import { Api } from "../../agents/nodes/node-agent/api";
import { CniPlugins } from "../../agents/nodes/node-agent/cni-plugins/plugins";
import { ContainerRuntimes } from "../../agents/nodes/node-agent/container-runtime/runtimes";
import { Kubelets } from "../../agents/nodes/node-agent/kubelet/kubelets";
import { runtimeId } from "../../agents/nodes/node-agent/layout";
import {
    cniPluginsAnnotation,
    containerRuntimeAnnotation,
    type Kubelet,
    type NodeAgentPlan,
    type RuntimeSource,
    readyGate,
    type Source,
    versionAnnotation,
} from "../../agents/nodes/node-agent/plan";
import { Host } from "../../agents/nodes/node-agent/reboot/host";
import { cacheDir } from "../../cache";
import { at, type KubernetesObject, listAt } from "../../simulator/plugins/kubernetes/object";
import { versions } from "../../versions";
import { brokenInPlace, plugin, pluginArchive } from "../unit/agents/nodes/node-agent/plugin-archive";
import { program, type RuntimeFiles, runtimeFiles } from "../unit/agents/nodes/node-agent/runtime-archive";
import { ApiServer } from "./apiserver";
import { Machine } from "./node-agent/machine";
import { until } from "./until";

describe("node-agent with a real kube-apiserver, as its node's kubelet", function () {
    this.timeout(120_000);
    let api: ApiServer;
    let mirror: Server;
    let machine: Machine;
    let replicas: object;
    let daemons: object;
    let current: string;
    const texts: Record<string, string | Buffer> = {};
    const kubelet = (version: string, text = `kubelet ${version}`): Kubelet => {
        texts[`/${version}`] = text;
        const sha256 = createHash("sha256").update(text).digest("hex");
        const urls = [`http://127.0.0.1:${(mirror.address() as AddressInfo).port}/${version}`];
        return { version, sha256, urls, settings: "a" };
    };
    const agentOf = (plan: NodeAgentPlan, ownUid = "pod", of = machine.name) =>
        new NodeAgent({
            plan,
            ownUid,
            kubelets: new Kubelets(plan.directories, plan.settings),
            cniPlugins: new CniPlugins(plan.directories.cni),
            ...(plan.directories.containerRuntime && {
                runtimes: new ContainerRuntimes(plan.directories.containerRuntime),
            }),
            host: new Host(plan.directories.state),
            api: new Api(plan, of),
            log: () => {},
        });
    /** No controller handles it, and its objects are not garbage collected. */
    const owner = async (kind: "ReplicaSet" | "DaemonSet", more: object) => {
        const selector = { matchLabels: { app: "web" } };
        const template = { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "c", image: "i" }] } };
        const spec = { ...more, selector, template };
        const body = { apiVersion: "apps/v1", kind, metadata: { name: "web" }, spec };
        const path = `/apis/apps/v1/namespaces/default/${kind.toLowerCase()}s`;
        const { metadata } = (await api.http.send({ method: "POST", path, body })) as KubernetesObject;
        return { apiVersion: "apps/v1", kind, name: "web", uid: metadata!.uid, controller: true };
    };
    const budget = "/apis/policy/v1/namespaces/default/poddisruptionbudgets/web";
    const forbidEviction = async () => {
        const spec = { maxUnavailable: 0, selector: { matchLabels: { app: "web" } } };
        const body = { apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata: { name: "web" }, spec };
        await api.http.send({ method: "POST", path: budget.replace(/\/web$/, ""), body });
        await until("the disruption budget to be computed", async () => {
            const observed = await api.http.send({ method: "GET", path: budget });
            return at(observed as KubernetesObject, "status", "observedGeneration") === 1;
        });
    };
    const allowEviction = () => api.http.send({ method: "DELETE", path: budget });
    const isCordoned = async () => at(await machine.node(), "spec", "unschedulable") === true;
    const versionOf = async () => at(await machine.node(), "status", "nodeInfo", "kubeletVersion");
    /** Runs an agent until a condition is met. */
    const lookUntil = (agent: NodeAgent, what: string, isSo: () => boolean | Promise<boolean>) =>
        until(what, async () => {
            await agent.reconcile().catch(() => {});
            return isSo();
        });

    before(async () => {
        api = await ApiServer.start({ controllers: ["disruption-controller"] });
        const { gitVersion } = (await api.http.send({ method: "GET", path: "/version" })) as { gitVersion: string };
        current = gitVersion.replace(/^v/, "");
        mirror = createServer(({ url = "" }, answer) =>
            answer.writeHead(texts[url] === undefined ? 404 : 200).end(texts[url]),
        );
        await new Promise<void>((resolve) => mirror.listen(0, "127.0.0.1", resolve));
        replicas = await owner("ReplicaSet", { replicas: 2 });
        daemons = await owner("DaemonSet", {});
    });
    beforeEach(async () => {
        machine = new Machine(api, `node-${Math.random().toString(36).slice(2)}`);
        await machine.boot(kubelet("1.35.4"), "kubelet 1.35.4");
        await until("the kubelet to register", async () => (await versionOf()) === "v1.35.4");
    });
    afterEach(async () => {
        const path = "/api/v1/namespaces/default/pods";
        await api.http.send({ method: "DELETE", path, query: { gracePeriodSeconds: "0" } });
        await machine.powerOff();
    });
    after(async () => {
        mirror?.close();
        await api?.stop();
    });

    it("drains within a disruption budget, replaces the kubelet, and lets pods return", async () => {
        await machine.run("web-0", replicas);
        await machine.run("web-1", replicas);
        await machine.run("bare");
        await machine.run("daemon", daemons);
        // A budget allows evicting pods that never ran.
        await until("the pods to run", async () => (await machine.pods("Running")).length === 4);
        await forbidEviction();
        const agent = agentOf(machine.plan(kubelet(current)));
        await lookUntil(agent, "the blocked drain to be reported", async () =>
            (await machine.events()).some((event) => /^KubeletDrainBlocked:.*default\/web-0 stays: 429/.test(event)),
        );
        assert.equal(await isCordoned(), true);
        assert.deepEqual(await machine.pods(), ["bare", "daemon", "web-0", "web-1"]);
        assert.deepEqual(machine.started, ["kubelet 1.35.4"], "nothing is stopped while pods stay");
        assert.match(agent.notReadyBecause() ?? "", /draining the node .*web-1 stays: 429/);

        await allowEviction();
        await lookUntil(agent, "the new kubelet to be ready", () => agent.notReadyBecause() === undefined);
        assert.deepEqual(machine.started, ["kubelet 1.35.4", `kubelet ${current}`]);
        assert.deepEqual(await machine.pods(), ["bare", "daemon"]);
        assert.equal(await isCordoned(), false);
        assert.deepEqual(
            (await machine.events()).map((event) => event.split(":")[0]),
            ["KubeletDrainBlocked", "KubeletUpgrading", "KubeletUpgraded"],
        );
    });

    it("drains a node that the cloud reclaims, within a disruption budget, and does nothing else to it", async () => {
        await machine.run("web-0", replicas);
        await machine.run("bare");
        await machine.run("daemon", daemons);
        await until("the pods to run", async () => (await machine.pods("Running")).length === 3);
        await forbidEviction();
        const noticesFrom = `http://127.0.0.1:${(mirror.address() as AddressInfo).port}`;
        texts["/latest/api/token"] = "token";
        texts["/latest/meta-data/spot/instance-action"] = '{"action":"terminate","time":"2030-01-01T00:02:00Z"}';
        const agent = agentOf(machine.plan(kubelet("1.35.4"), { noticesFrom }));
        void agent.run();
        await until("the budget to block the eviction", async () =>
            (await machine.events()).some((event) => /^SpotInterruption: .*at 2030-01-01T00:02:00Z/.test(event)),
        );
        await until("the cordon", isCordoned);
        assert.deepEqual(await machine.pods(), ["bare", "daemon", "web-0"]);
        assert.equal(agent.notReadyBecause(), undefined, "its pod stays Ready, and no rollout waits for the node");

        await allowEviction();
        await until("the eviction", async () => !(await machine.pods()).includes("web-0"));
        assert.deepEqual(await machine.pods(), ["bare", "daemon"]);
        assert.deepEqual([await isCordoned(), machine.started], [true, ["kubelet 1.35.4"]]);
    });

    it("reverts if the new kubelet does not work, stays cordoned and reports the reason, until another pod tries one that works", async () => {
        const agent = agentOf(machine.plan(kubelet(current, "broken")));
        await lookUntil(agent, "the failure", () => agent.failure() !== undefined);
        assert.match(
            agent.failure()!,
            new RegExp(`kubelet ${current} did not work within 3 s: .*; kubelet 1.35.4 runs again`),
        );
        assert.deepEqual(machine.started, ["kubelet 1.35.4", "broken", "kubelet 1.35.4"]);
        assert.equal(await isCordoned(), true);
        assert.equal(await versionOf(), "v1.35.4");
        const events = await machine.events();
        assert.match(events.at(-1)!, /^KubeletUpgradeFailed: .*The node stays cordoned/);

        // After a kill it still remembers, and tries nothing.
        const same = agentOf(machine.plan(kubelet(current, "broken")));
        for (let rounds = 0; rounds < 3; rounds++) await same.reconcile();
        assert.match(same.notReadyBecause()!, /did not work/);
        assert.equal(machine.started.length, 3);

        const mended = agentOf(machine.plan(kubelet(current)), "other");
        await lookUntil(mended, "the kubelet to be reverted", () => mended.notReadyBecause() === undefined);
        assert.deepEqual(machine.started.at(-1), `kubelet ${current}`);
        assert.equal(await isCordoned(), false);
    });

    it("restarts the kubelet with other settings under running pods, and reverts those that do not work", async () => {
        await machine.run("web-0", replicas);
        await until("the pod to run", async () => (await machine.pods("Running")).length === 1);
        const set = (id: string, text: string) =>
            agentOf(machine.plan(kubelet("1.35.4"), { settings: { id, configuration: text, flags: [] } }), id);
        const first = set("b", " set");
        await lookUntil(first, "the settings to be applied", () => first.notReadyBecause() === undefined);
        assert.deepEqual(machine.started, ["kubelet 1.35.4", "kubelet 1.35.4 set"]);
        assert.deepEqual(await machine.pods("Running"), ["web-0"]);
        assert.equal(await isCordoned(), false);

        const second = set("c", " broken");
        await lookUntil(second, "the failure", () => second.failure() !== undefined);
        assert.match(
            second.failure()!,
            /kubelet 1\.35\.4 with settings c did not work within 3 s: .*; kubelet 1\.35\.4 with settings b runs again/,
        );
        assert.equal(machine.started.at(-1), "kubelet 1.35.4 set");
        assert.deepEqual([await isCordoned(), await machine.pods("Running")], [true, ["web-0"]]);
    });

    const archives = (programs: Record<string, string>) => {
        const { bytes, sha256 } = pluginArchive(programs);
        texts[`/${sha256}`] = bytes;
        return { sha256, urls: [`http://127.0.0.1:${(mirror.address() as AddressInfo).port}/${sha256}`], bytes };
    };
    const bridge = () => readFileSync(join(machine.folder, "cni/bin/bridge"), "utf8").split("\n")[1];

    it("replaces the CNI plugins under running pods, and reverts those that do not respond", async () => {
        const [first, second] = [archives({ bridge: plugin("v1") }), archives({ bridge: plugin("v2") })];
        const broken = archives({ bridge: brokenInPlace });
        machine.install(first, first.bytes);
        await machine.run("web-0", replicas);
        await until("the pod to run", async () => (await machine.pods("Running")).length === 1);
        const agentWith = (cniPlugins: Source, pod: string) =>
            agentOf(machine.plan(kubelet("1.35.4"), { cniPlugins }), pod);

        const good = agentWith(second, "b");
        await lookUntil(good, "the plugins to be replaced", () => good.notReadyBecause() === undefined);
        assert.deepEqual([bridge(), await isCordoned()], ["# v2", false]);
        assert.deepEqual(await machine.pods("Running"), ["web-0"]);

        const bad = agentWith(broken, "c");
        await lookUntil(bad, "the failure", () => bad.failure() !== undefined);
        const label = ({ sha256 }: Source) => `CNI plugins ${sha256.slice(0, 12)}`;
        assert.match(
            bad.failure()!,
            new RegExp(`^${label(broken)} do not work: bridge does not report .*; ${label(second)} are restored$`),
        );
        assert.deepEqual([bridge(), await isCordoned()], ["# v2", true]);
        assert.deepEqual(
            (await machine.events()).map((event) => event.split(":")[0]),
            [
                "CniPluginsChanging",
                "CniPluginsChanged",
                "CniPluginsChanging",
                "CniPluginsReverting",
                "CniPluginsFailed",
            ],
        );
        // After a kill it still remembers, and tries nothing.
        const same = agentWith(broken, "c");
        for (let rounds = 0; rounds < 3; rounds++) await same.reconcile();
        assert.match(same.notReadyBecause()!, /do not work/);

        const back = agentWith(first, "d");
        await lookUntil(back, "the original ones to be back", () => back.notReadyBecause() === undefined);
        assert.deepEqual([bridge(), await isCordoned()], ["# v1", false]);
        assert.deepEqual(machine.started, ["kubelet 1.35.4"], "the kubelet was left alone");
        assert.deepEqual(await machine.pods("Running"), ["web-0"]);
    });

    it("replaces CNI plugins before the kubelet, and neither while the plugins cannot be downloaded", async () => {
        const [first, second] = [archives({ bridge: plugin("v1") }), archives({ bridge: plugin("v2") })];
        machine.install(first, first.bytes);
        const plan = machine.plan(kubelet(current), { cniPlugins: second });
        texts[`/${second.sha256}`] = "another archive";
        const agent = agentOf(plan);
        await lookUntil(agent, "the failed download to be reported", async () =>
            (await machine.events()).some((event) => /^CniPluginsFetchFailed: .*has SHA-256/.test(event)),
        );
        assert.deepEqual([bridge(), await isCordoned(), machine.started], ["# v1", false, ["kubelet 1.35.4"]]);

        texts[`/${second.sha256}`] = second.bytes;
        const next = agentOf(plan, "next");
        await lookUntil(next, "everything to be replaced", () => next.notReadyBecause() === undefined);
        assert.deepEqual([bridge(), await versionOf(), await isCordoned()], ["# v2", `v${current}`, false]);
        assert.deepEqual(
            (await machine.events()).map((event) => event.split(":")[0]),
            ["CniPluginsFetchFailed", "CniPluginsChanging", "CniPluginsChanged", "KubeletUpgrading", "KubeletUpgraded"],
        );
    });

    it("installs on one node the CNI plugins of its annotation, if they are pinned", async () => {
        const [first, second] = [archives({ bridge: plugin("v1") }), archives({ bridge: plugin("v2") })];
        machine.install(first, first.bytes);
        const plan = machine.plan(kubelet("1.35.4"), { otherCniPlugins: [second] });
        const agent = agentOf(plan);
        const named = (sha256: string | null) =>
            machine.patch({ metadata: { annotations: { [cniPluginsAnnotation]: sha256 } } });
        await named("f".repeat(64));
        await lookUntil(agent, "the refusal", async () => (await machine.events()).length > 0);
        assert.match(agent.notReadyBecause()!, /CNI plugins annotation must be one of /);
        await named(second.sha256.slice(0, 12));
        await lookUntil(agent, "the canary to have them", () => agent.notReadyBecause() === undefined);
        assert.equal(bridge(), "# v2");
        await named(null);
        await lookUntil(agent, "its pool's to be back", () => bridge() === "# v1");
    });

    it("speaks the protocol of the CNI plugins pinned in this repository", async () => {
        const path = `cni-plugins/v${versions.cniPlugins}/cni-plugins-linux-amd64-v${versions.cniPlugins}.tgz`;
        const bytes = readFileSync(join(cacheDir(), "files", path));
        const pinned = { sha256: createHash("sha256").update(bytes).digest("hex"), bytes };
        const url = `http://127.0.0.1:${(mirror.address() as AddressInfo).port}/${pinned.sha256}`;
        texts[`/${pinned.sha256}`] = bytes;
        const first = archives({ bridge: plugin("v1") });
        machine.install(first, first.bytes);
        const agent = agentOf(machine.plan(kubelet("1.35.4"), { cniPlugins: { sha256: pinned.sha256, urls: [url] } }));
        await lookUntil(agent, "the plugins to be installed", () => agent.notReadyBecause() === undefined);
        const bin = join(machine.folder, "cni/bin");
        assert.ok(readdirSync(bin).length > 10);
        const env = { CNI_COMMAND: "VERSION" };
        const answer = execFileSync(join(bin, "bridge"), { env, input: "{}", encoding: "utf8" });
        assert.ok(JSON.parse(answer).supportedVersions.includes("0.3.1"), "the plugins of flannel's configuration");
    });

    describe("of a machine that fetched its container runtime", () => {
        const first = runtimeFiles("2.3.7", "1.4.3");
        const sourceOf = ({ containerd, runc }: RuntimeFiles): RuntimeSource => {
            const source = ({ bytes, sha256 }: RuntimeFiles["runc"]) => {
                texts[`/${sha256}`] = bytes;
                return { sha256, urls: [`http://127.0.0.1:${(mirror.address() as AddressInfo).port}/${sha256}`] };
            };
            return { containerd: source(containerd), runc: source(runc) };
        };
        const agentWith = (files: RuntimeFiles, pod = "pod", more: Partial<NodeAgentPlan> = {}) =>
            agentOf(machine.plan(kubelet("1.35.4"), { containerRuntime: sourceOf(files), ...more }), pod);
        const reportedVersion = async () => at(await machine.node(), "status", "nodeInfo", "containerRuntimeVersion");
        const reasons = async () => (await machine.events()).map((event) => event.split(":")[0]);
        beforeEach(async () => {
            await machine.runtimes.install(first);
            await machine.run("web-0", replicas);
            await until("the pod to run", async () => (await machine.pods("Running")).length === 1);
        });

        it("starts a patch release of containerd under running pods, and another minor version after a drain", async () => {
            const patch = { ...runtimeFiles("2.3.8", "1.4.3"), runc: first.runc };
            const patched = agentWith(patch);
            await lookUntil(patched, "the patch to run", () => patched.notReadyBecause() === undefined);
            assert.deepEqual([await reportedVersion(), await isCordoned()], ["containerd://2.3.8", false]);
            assert.deepEqual(await machine.pods("Running"), ["web-0"]);

            await forbidEviction();
            const minor = agentWith(runtimeFiles("2.4.2", "1.4.4"), "b");
            await lookUntil(minor, "the drain to be blocked", async () =>
                (await reasons()).includes("ContainerRuntimeDrainBlocked"),
            );
            assert.deepEqual([await reportedVersion(), await isCordoned()], ["containerd://2.3.8", true]);
            await allowEviction();
            await lookUntil(minor, "the minor version to run", () => minor.notReadyBecause() === undefined);
            assert.deepEqual([await reportedVersion(), await isCordoned()], ["containerd://2.4.2", false]);
            assert.deepEqual(await machine.pods(), []);
            assert.deepEqual(machine.started, ["kubelet 1.35.4"], "the kubelet was left alone");
            // Of all its versions, the current one and the previous one.
            const ids = readdirSync(machine.runtimes.folder).filter((name) => name.includes("-"));
            assert.equal(ids.length, 2);
        });

        it("reverts one that does not start, stays cordoned and reports the reason, until another pod tries one that works", async () => {
            const broken = runtimeFiles("2.3.9", "1.4.3", {
                containerd: `${program("containerd", "2.3.9")}# does not start\n`,
            });
            const agent = agentWith({ ...broken, runc: first.runc });
            await lookUntil(agent, "the failure", () => agent.failure() !== undefined);
            assert.equal(
                agent.failure(),
                "containerd 2.3.9 with runc 1.4.3 does not work: containerd does not start; containerd 2.3.7 with runc 1.4.3 runs again",
            );
            assert.deepEqual([await reportedVersion(), await isCordoned()], ["containerd://2.3.7", true]);
            assert.match((await machine.events()).at(-1)!, /^ContainerRuntimeFailed: .*The node stays cordoned/);
            // After a kill it still remembers, and tries nothing.
            const { length } = machine.runtimes.started;
            const same = agentWith({ ...broken, runc: first.runc });
            for (let rounds = 0; rounds < 3; rounds++) await same.reconcile();
            assert.match(same.notReadyBecause()!, /does not work/);
            assert.equal(machine.runtimes.started.length, length);

            const back = agentWith(first, "other");
            await lookUntil(back, "the node to be as desired", () => back.notReadyBecause() === undefined);
            assert.deepEqual([await isCordoned(), await machine.pods("Running")], [false, ["web-0"]]);
        });

        it("reverts one that its kubelet does not find", async () => {
            const silent = runtimeFiles("2.3.9", "1.4.3", {
                containerd: `${program("containerd", "2.3.9")}# is not found\n`,
            });
            const agent = agentWith({ ...silent, runc: first.runc });
            await lookUntil(agent, "the failure", () => agent.failure() !== undefined);
            assert.match(
                agent.failure()!,
                /did not work within \d s: the kubelet reports containerd:\/\/2\.3\.7; .* runs again$/,
            );
            assert.equal(await isCordoned(), true);
        });

        it("touches nothing if containerd does not respond, or a minor version is skipped", async () => {
            const half = agentWith({ ...runtimeFiles("", "", { containerd: "half a file" }), runc: first.runc });
            await lookUntil(half, "the failure", () => half.failure() !== undefined);
            assert.match(half.failure()!, /does not work: containerd does not report its version/);
            const far = agentWith({ ...runtimeFiles("2.5.0", "1.4.3"), runc: first.runc }, "b");
            await lookUntil(far, "the refusal", async () => (await reasons()).includes("ContainerRuntimeRefused"));
            assert.match(far.notReadyBecause()!, /can only be replaced by 2\.2, 2\.3, 2\.4,/);
            assert.deepEqual(machine.runtimes.started, [runtimeId(first)]);
        });

        it("retries what a boot interrupted, and resumes where a killed agent stopped", async () => {
            const patch = { ...runtimeFiles("2.3.8", "1.4.3"), runc: first.runc };
            await lookUntil(
                agentWith(patch),
                "the patch to be tried",
                async () => (await reportedVersion()) === "containerd://2.3.8",
            );
            await machine.runtimes.boot();
            assert.equal(await reportedVersion(), "containerd://2.3.7");
            const next = agentWith(patch);
            await lookUntil(next, "the patch to run", () => next.notReadyBecause() === undefined);
            assert.deepEqual([await reportedVersion(), await isCordoned()], ["containerd://2.3.8", false]);
        });

        it("runs on one node the version of its annotation, if it is pinned", async () => {
            const other = { ...runtimeFiles("2.3.8", "1.4.3"), runc: first.runc };
            const agent = agentWith(first, "pod", { otherContainerRuntimes: [sourceOf(other)] });
            const named = (id: string | null) =>
                machine.patch({ metadata: { annotations: { [containerRuntimeAnnotation]: id } } });
            await named("unpinned");
            await lookUntil(agent, "the refusal", async () => (await machine.events()).length > 0);
            assert.match(agent.notReadyBecause()!, /container runtime annotation must be one of /);
            await named(runtimeId(other));
            await lookUntil(agent, "the canary to have it", () => agent.notReadyBecause() === undefined);
            assert.equal(await reportedVersion(), "containerd://2.3.8");
            await named(null);
            await lookUntil(
                agent,
                "its pool's to be back",
                async () => (await reportedVersion()) === "containerd://2.3.7",
            );
        });
    });

    it("does not touch a container runtime from the machine's image, and says so", async () => {
        const files = runtimeFiles("2.4.2", "1.4.3");
        const source = { urls: ["http://127.0.0.1:1/nothing"], sha256: files.runc.sha256 };
        const plan = machine.plan(kubelet("1.35.4"), { containerRuntime: { containerd: source, runc: source } });
        const agent = agentOf(plan);
        await lookUntil(agent, "the node to be as desired", () => agent.notReadyBecause() === undefined);
        assert.match((await machine.events()).at(-1)!, /^ContainerRuntimeUnknown: .*Recreate the machine/);
    });

    it("makes its pod Ready only when the kubelet is as desired", async () => {
        await machine.run("agent", daemons);
        await until("the pod to run", async () => (await machine.pods("Running")).length === 1);
        const pod = async () =>
            (await api.http.send({ method: "GET", path: "/api/v1/namespaces/default/pods/agent" })) as KubernetesObject;
        const gate = async () =>
            listAt(await pod(), "status", "conditions").find((condition) => at(condition, "type") === readyGate);
        const { uid } = (await pod()).metadata!;
        const agent = agentOf(machine.plan(kubelet(current)), uid as string);
        await agent.reconcile();
        assert.notEqual(at((await gate()) ?? {}, "status"), "True");
        await lookUntil(agent, "the kubelet to be as desired", () => agent.notReadyBecause() === undefined);
        assert.equal(at((await gate())!, "status"), "True");
        await machine.patch({ status: { conditions: [{ type: "Ready", status: "False" }] } }, "/status");
        await lookUntil(agent, "its pod to be no longer Ready", async () => at((await gate())!, "status") === "False");
    });

    it("rejects a kubelet that is newer than the apiserver or differs from what was pinned", async () => {
        const [major, minor] = current.split(".");
        const newer = agentOf(machine.plan(kubelet(`${major}.${Number(minor) + 1}.0`)));
        await lookUntil(newer, "the wait to be reported", async () =>
            (await machine.events()).some((event) => event.startsWith("KubeletWaitsForApiserver")),
        );
        const desired = kubelet(current);
        texts[`/${current}`] = "another program";
        const other = agentOf(machine.plan(desired));
        await lookUntil(other, "the failed download to be reported", async () =>
            (await machine.events()).some((event) => /^KubeletFetchFailed: .*has SHA-256/.test(event)),
        );
        assert.equal(await isCordoned(), false);
        assert.deepEqual(machine.started, ["kubelet 1.35.4"]);
    });

    it("runs on one node the version of its annotation, if it is pinned, and leaves a cordon to its owner", async () => {
        await machine.patch({
            metadata: { annotations: { [versionAnnotation]: "1.36.99" } },
            spec: { unschedulable: true },
        });
        const plan = machine.plan(kubelet("1.35.4"), {
            kubelets: { "1.35.4": kubelet("1.35.4"), [current]: kubelet(current) },
        });
        const agent = agentOf(plan);
        await lookUntil(agent, "the refusal", async () => (await machine.events()).length > 0);
        assert.match(agent.notReadyBecause()!, /must be one of 1\.35\.4, .* \(got 1\.36\.99\)/);
        await machine.patch({ metadata: { annotations: { [versionAnnotation]: current } } });
        await lookUntil(agent, "the canary to run", async () => (await versionOf()) === `v${current}`);
        await lookUntil(agent, "everything to be ready", () => agent.notReadyBecause() === undefined);
        assert.equal(await isCordoned(), true);
    });

    it("sends no requests while all is well, and yet sees what changes", async () => {
        const agent = agentOf(machine.plan(kubelet("1.35.4")));
        await lookUntil(agent, "the node to be as desired", () => agent.notReadyBecause() === undefined);
        /** Of nodes and pods, read by anyone: the kubelet of these tests lists its pods. */
        const reads = async () => {
            const metrics = (await api.http.send({ method: "GET", path: "/metrics" })) as string;
            const counts = metrics
                .split("\n")
                .filter((line) => /^apiserver_request_total.*resource="nodes".*verb="(GET|LIST)"/.test(line));
            return counts.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
        };
        // At first the watch may still report what the agent did before.
        await until("50 looks without requests", async () => {
            const before = await reads();
            for (let round = 0; round < 50; round++) await agent.reconcile();
            return (await reads()) === before;
        });

        await machine.patch({ metadata: { annotations: { [versionAnnotation]: "1.36.99" } } });
        await lookUntil(agent, "the annotation to be seen", () => agent.notReadyBecause() !== undefined);
        assert.match(agent.notReadyBecause()!, /must be one of 1\.35\.4 \(got 1\.36\.99\)/);
    });

    it("removes DaemonSet pods left by a shutdown", async () => {
        await machine.run("left", daemons);
        await until("the pod to run", async () => (await machine.pods("Running")).length === 1);
        const path = "/api/v1/namespaces/default/pods/left/status";
        const body = { status: { phase: "Failed", reason: "NodeShutdown" } };
        await api.http.send({ method: "PATCH", path, body, contentType: "application/merge-patch+json" });
        await lookUntil(
            agentOf(machine.plan(kubelet("1.35.4"))),
            "it to be removed",
            async () => (await machine.pods()).length === 0,
        );
    });

    it("cannot do anything to other nodes and their pods", async () => {
        await machine.run("web-0", replicas);
        const other = new Machine(api, "other");
        await other.boot(kubelet("1.35.4"), "kubelet 1.35.4");
        try {
            const plan = { ...other.plan(kubelet(current)) };
            const theirs = new Api(plan, machine.name);
            await assert.rejects(theirs.node(), /403/);
            await assert.rejects(theirs.pods(), /403/);
            const target = { metadata: { name: "web-0", namespace: "default", uid: "x" }, spec: { containers: [] } };
            await assert.rejects(theirs.evict(target), /403/);
        } finally {
            await other.powerOff();
        }
    });
});
