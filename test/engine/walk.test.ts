import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { guardedPrograms } from "../../agents/upgrade-guard/record";
import { TakingBack } from "../../agents/upgrade-guard/take-back";
import { ApiClient, readKubeconfig } from "../../clients/kubernetes/api-client";
import type { DaemonSet } from "../../clients/kubernetes/objects";
import { fieldManager, owned } from "../../cluster/manifest";
import { controlPlane } from "../../cluster/manifests/control-plane";
import { placeholderCredentials } from "../../cluster/manifests/control-plane/placeholder";
import type { Cluster } from "../../cluster/model";
import { emulationSteps, runsAs } from "../../cluster/upgrades/emulation";
import { lastUpgrade } from "../../components/upgrade/guard-record";
import { beginGuarded } from "../../components/upgrade/soak";
import { endWalk, isOnTheWay, stepsTo, walk, walkedTemplates } from "../../components/upgrade/walk";
import type { KubernetesObject } from "../../simulator/plugins/kubernetes/object";
import { versionedCluster } from "../unit/components/in-cluster/fixture";
import { ApiServer } from "./apiserver";
import { FakeNode } from "./kubernetes-fixture/fake-node";

function of(version: string, more: Partial<Cluster> = {}): Cluster {
    return { ...versionedCluster(version), rolloutSeconds: 60, ...more };
}

describe("the way over several minor versions, with a real kube-apiserver", function () {
    this.timeout(120_000);
    let server: ApiServer;
    let node: FakeNode;
    let api: ApiClient;

    const apply = async (cluster: Cluster, only?: string) => {
        for (const manifest of controlPlane(cluster, placeholderCredentials(cluster))) {
            if (manifest.kind !== "DaemonSet" || (only && manifest.metadata.name !== only)) continue;
            const object = owned(manifest) as unknown as KubernetesObject;
            await server.cluster.apply(object, { fieldManager, force: true });
        }
    };
    const minorsNow = async () => {
        const templates = (await walkedTemplates(api))!;
        return guardedPrograms.map((name) => runsAs(name, templates[name]).minor);
    };
    const reported: string[] = [];
    const report = async (message: string) => void reported.push(message.replace(/ in \d+ s$/, ""));
    const taken = () => reported.splice(0);
    const daemonSet = (name: string) => api.call<DaemonSet>(`/apis/apps/v1/namespaces/kube-system/daemonsets/${name}`);
    const controllers = "kube-controller-manager and kube-scheduler";

    before(async () => {
        server = await ApiServer.start({ controllers: ["daemonset-controller"] });
        node = new FakeNode(server);
        await node.start();
        const { server: url, credentials } = readKubeconfig(server.kubeconfig);
        api = new ApiClient(url, () => credentials);
        const role = { metadata: { labels: { "node-role.kubernetes.io/control-plane": "" } } };
        const contentType = "application/merge-patch+json";
        await api.call("/api/v1/nodes/fake", { method: "PATCH", contentType, body: role });
        await apply(of("1.34.4"));
    });
    after(async () => {
        await node?.stop();
        api?.reconnect();
        await server?.stop();
    });

    it("is none without a control plane, and for the next minor version", async () => {
        const missing = { call: () => Promise.resolve({}) } as unknown as ApiClient;
        assert.equal(await walkedTemplates(missing), undefined);
        await walk({ api, cluster: of("1.35.4"), report });
        assert.deepEqual(taken(), []);
    });

    it("ends next to the desired version, which the stack itself rolls out", async () => {
        const cluster = of("1.37.2", { rollbackTo: "1.34" });
        await walk({ api, cluster, report });
        assert.deepEqual(taken(), [
            "kube-apiserver as 1.34: done",
            "kube-apiserver as 1.35: done",
            `${controllers} as 1.35: done`,
            "kube-apiserver as 1.36: done",
            `${controllers} as 1.36: done`,
        ]);
        const templates = (await walkedTemplates(api))!;
        assert.ok(isOnTheWay(templates));
        assert.deepEqual(stepsTo(cluster, templates), []);
        for (const [name, template] of Object.entries(templates)) {
            assert.deepEqual(runsAs(name as never, template), { version: "1.37.2", minor: "1.36" });
            const { command = [] } = template.spec.containers[0]!;
            assert.ok(command.includes("--min-compatibility-version=1.34"), command.join(" "));
        }
        await apply(cluster);
        assert.ok(!isOnTheWay((await walkedTemplates(api))!));
    });

    it("is the same backwards, and keeps what older versions can read", async () => {
        const cluster = of("1.35.4", { rollbackTo: "1.34" });
        await walk({ api, cluster, report });
        assert.deepEqual(taken(), [`${controllers} as 1.36: done`, "kube-apiserver as 1.36: done"]);
        const { spec } = (await walkedTemplates(api))!["kube-apiserver"];
        assert.ok(spec.containers[0]!.command!.includes("--min-compatibility-version=1.34"));
    });

    it("leads back to exactly what ran before, if the desired version is that again", async () => {
        const cluster = of("1.37.2", { rollbackTo: "1.34" });
        await endWalk({ api, cluster, report });
        assert.deepEqual(
            taken(),
            ["kube-apiserver", "kube-controller-manager", "kube-scheduler"].map((name) => `${name} 1.37.2: done`),
        );
        const before = (await walkedTemplates(api))!;
        await apply(cluster);
        assert.deepEqual(await walkedTemplates(api), before);
    });

    it("stops at pods that do not become ready, and goes on from there", async () => {
        await apply(of("1.34.4"));
        const images = { ...of("1.36.3").images, kubeApiserver: "registry.example/broken/kube-apiserver:v1.36.3" };
        const broken = of("1.36.3", { rollbackTo: "1.34", images, rolloutSeconds: 3 });
        await assert.rejects(
            walk({ api, cluster: broken, report }),
            /^Error: kube-apiserver was not rolled out within 3 s; .*kube-apiserver/,
        );
        await walk({ api, cluster: of("1.36.3", { rollbackTo: "1.34" }), report });
        assert.deepEqual(taken(), ["kube-apiserver as 1.35: done", `${controllers} as 1.35: done`]);
        const { generation } = (await daemonSet("kube-apiserver")).metadata;
        await walk({ api, cluster: of("1.36.3", { rollbackTo: "1.34" }), report });
        assert.equal((await daemonSet("kube-apiserver")).metadata.generation, generation);
        assert.deepEqual(emulationSteps({ apiserver: "1.35", controllers: "1.35", hasNewer: true }, "1.36"), []);
    });

    it("is taken back by the guard, rollout by rollout, to exactly what ran before", async () => {
        const from = of("1.34.4");
        const to = of("1.37.2", { rollbackTo: "1.34" });
        await apply(from);
        const before = (await walkedTemplates(api))!;
        await beginGuarded(api, to, { from: "1.34.4", before, isOnTheWay: false });
        await walk({ api, cluster: to, report });
        await apply(to);
        const { record } = (await lastUpgrade(api))!;
        const back = new TakingBack(record, fieldManager, () => performance.now());
        const minors: string[] = [];
        for (const deadline = Date.now() + 60_000; !(await back.act(api)); await sleep(100)) {
            const templates = (await walkedTemplates(api))!;
            const now = guardedPrograms.map((name) => runsAs(name, templates[name]).minor.slice(2)).join();
            if (now !== minors.at(-1)) minors.push(now);
            assert.ok(Date.now() < deadline, minors.join(" "));
        }
        assert.deepEqual(minors, ["37,36,36", "36,36,36", "36,35,35", "35,35,35", "35,34,34", "34,34,34"]);
        assert.deepEqual(await walkedTemplates(api), before);
    });

    it("never ends at another image of the desired version, which may be what was taken back", async () => {
        const to = of("1.37.2", { rollbackTo: "1.34" });
        const other = "registry.example/faulty/kube-apiserver:v1.37.2";
        await apply(of("1.37.2", { images: { ...to.images, kubeApiserver: other } }));
        await apply(of("1.34.4"));
        await endWalk({ api, cluster: to, report });
        const { spec } = (await walkedTemplates(api))!["kube-apiserver"];
        assert.equal(spec.containers.find(({ name }) => name === "kube-apiserver")!.image, to.images.kubeApiserver);
    });

    it("does not let controllers get ahead of a kube-apiserver with a new image, although they were there before", async () => {
        const desired = of("1.37.2", { rollbackTo: "1.34" });
        const kubeApiserver = "registry.example/fixed/kube-apiserver:v1.37.2";
        const fixed = { ...desired, images: { ...desired.images, kubeApiserver } };
        await apply(of("1.34.4"));
        await endWalk({ api, cluster: fixed, report });
        assert.deepEqual(await minorsNow(), ["1.36", "1.36", "1.36"]);
        await apply(fixed, "kube-apiserver");
        await endWalk({ api, cluster: fixed, report });
        assert.deepEqual(await minorsNow(), ["1.37", "1.37", "1.37"]);
        assert.ok(!isOnTheWay((await walkedTemplates(api))!));
    });
});
