import assert from "node:assert/strict";
import { ApiClient, readKubeconfig } from "../../clients/kubernetes/api-client";
import { leaseReleaser } from "../../clients/kubernetes/ended-leader";
import type { ApiObject, Lease } from "../../clients/kubernetes/objects";
import { fieldManager } from "../../cluster/manifest";
import { nodeAgent } from "../../cluster/manifests/nodes/node-agent";
import { resolveCluster } from "../../cluster/resolve";
import { upgradeProblems } from "../../cluster/upgrades/checks";
import { readableByAnnotation } from "../../cluster/upgrades/rollback";
import { storedAlphaProblems } from "../../cluster/upgrades/stored-alpha";
import { checksumProblems } from "../../components/upgrade/guard";
import { appliedApiserver, etcdPods, runningCluster } from "../../components/upgrade/running";
import { downloadsInUse, nodeFiles } from "../../components/upgrade/running-downloads";
import { storedAlpha } from "../../components/upgrade/stored-alpha";
import { oldestReader, recordReadableBy, recordStoring } from "../../components/upgrade/way-back";
import type { KubernetesObject } from "../../simulator/plugins/kubernetes/object";
import { downloads } from "../unit/components/in-cluster/fixture";
import { ApiServer } from "./apiserver";
import { until } from "./until";

/** Served on request, until Kubernetes 1.40. */
const deprecated = "certificates.k8s.io/v1beta1";
const alpha = "scheduling.k8s.io/v1alpha3";
const gate = "--feature-gates=GenericWorkload=true";
const metadata = { name: "kube-apiserver", namespace: "kube-system" };
const labels = { "k8s-app": "kube-apiserver" };
const pod = (version: string, name = "kube-apiserver") => ({
    containers: [
        { name, image: `registry.k8s.io/${name}:v${version}` },
        { name: "haproxy", image: "docker.io/library/haproxy:3.0.11-alpine" },
    ],
});

describe("the state of a cluster, read from a real kube-apiserver", function () {
    this.timeout(120_000);
    let server: ApiServer;
    let api: ApiClient;
    const apply = (object: object) => server.cluster.apply(object as KubernetesObject, { fieldManager, force: false });
    const setStatus = (path: string, status: object) =>
        api.call(`${path}/status`, {
            method: "PATCH",
            body: { status },
            contentType: "application/merge-patch+json",
        });
    const ready = { conditions: [{ type: "Ready", status: "True" }] };

    before(async () => {
        server = await ApiServer.start({
            flags: { apiserver: [`--runtime-config=${deprecated}=true,${alpha}=true`, gate], controllers: [] },
        });
        const { server: url, credentials } = readKubeconfig(server.kubeconfig);
        api = new ApiClient(url, () => credentials);
    });
    after(async () => {
        api?.reconnect();
        await server?.stop();
    });

    it("is empty if no DaemonSet runs the apiserver", async () => {
        assert.equal(await appliedApiserver(api), undefined);
    });

    it("includes the apiserver's flags and the health of its pods, nodes and etcd", async () => {
        await apply({
            apiVersion: "apps/v1",
            kind: "DaemonSet",
            metadata,
            spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: pod("1.36.3") } },
        });
        await setStatus("/apis/apps/v1/namespaces/kube-system/daemonsets/kube-apiserver", {
            currentNumberScheduled: 1,
            desiredNumberScheduled: 2,
            numberMisscheduled: 0,
            numberReady: 1,
        });
        for (const [name, version, status] of [
            ["one", "1.36.3", ready],
            ["starting", "1.37.0", { conditions: [{ type: "Ready", status: "False" }] }],
        ] as const) {
            await apply({
                apiVersion: "v1",
                kind: "Pod",
                metadata: { name, namespace: "kube-system", labels },
                spec: { ...pod(version), automountServiceAccountToken: false },
            });
            await setStatus(`/api/v1/namespaces/kube-system/pods/${name}`, status);
        }
        for (const [name, version] of [
            ["kube-proxy", "1.35.4"],
            ["kube-scheduler", "1.36.3"],
        ] as const) {
            const spec = { ...pod(version, name), automountServiceAccountToken: false };
            const own = { name, namespace: "kube-system", labels: { "k8s-app": name } };
            await apply({ apiVersion: "v1", kind: "Pod", metadata: own, spec });
        }
        await apply({
            apiVersion: "v1",
            kind: "Node",
            metadata: { name: "c-controller-0", labels: { "node-role.kubernetes.io/control-plane": "" } },
        });
        await setStatus("/api/v1/nodes/c-controller-0", { ...ready, nodeInfo: nodeInfo("v1.36.3") });
        const members = {
            members: [
                { name: "c-controller-0", version: "3.6.8" },
                { name: "new", problem: "it has never started" },
            ],
            alarms: [{ member: "c-controller-0", memberId: "1", alarm: "NOSPACE" }],
        };
        await apply({
            apiVersion: "v1",
            kind: "ConfigMap",
            metadata: { name: "etcd-status", namespace: "kube-system" },
            data: { members: JSON.stringify(members) },
        });

        const named = { "k8s-app": "kube-dns" };
        await apply({
            apiVersion: "apps/v1",
            kind: "Deployment",
            metadata: { name: "coredns", namespace: "kube-system" },
            spec: {
                selector: { matchLabels: named },
                template: { metadata: { labels: named }, spec: pod("1.14.7", "coredns") },
            },
        });
        const etcd = { name: "etcd", image: "quay.io/coreos/etcd:v3.6.8", command: ["etcd", "--name=c-controller-0"] };
        await apply({
            apiVersion: "v1",
            kind: "Pod",
            metadata: { name: "etcd-c-controller-0", namespace: "kube-system", labels: { "k8s-app": "etcd" } },
            spec: { nodeName: "c-controller-0", automountServiceAccountToken: false, containers: [etcd] },
        });
        const { image, command } = etcd;
        assert.deepEqual(await etcdPods(api), [{ node: "c-controller-0", image, command }]);

        assert.deepEqual(await appliedApiserver(api), { version: "1.36.3", annotations: undefined, flags: [] });
        const running = await runningCluster(api);
        assert.deepEqual(running, {
            apiservers: ["1.36.3"],
            nodes: [
                {
                    ...{ name: "c-controller-0", kubelet: "1.36.3", isController: true },
                    ...{ isReady: true, isAgentReady: true, lacksAgent: false, keepsKubelet: true },
                },
            ],
            components: [
                { name: "kube-scheduler", version: "1.36.3" },
                { name: "kube-proxy", version: "1.35.4" },
            ],
            etcd: [
                { name: "c-controller-0", version: "3.6.8" },
                { name: "new", problem: "it has never started" },
            ],
            etcdTroubles: ["the alarm NOSPACE of c-controller-0"],
            deprecatedApis: [],
            unaskedApiservers: 0,
            problems: ["kube-apiserver has 1 of 2 pods Ready"],
            lackingAddons: ["coredns has 0 of 1 pods Ready"],
        });
        const problems = upgradeProblems(running, { kubernetes: "1.35.4", etcd: "3.6.8" });
        assert.deepEqual(
            problems.map(({ check }) => check),
            ["version", "kubelets", "etcd", "etcd", "health"],
        );
    });

    it("includes which version can read all that was stored, whatever runs now", async () => {
        // Of the pod that is starting.
        assert.equal(await oldestReader(api), "1.36");
        const recorded = async () =>
            (await api.call<ApiObject>("/api/v1/namespaces/kube-system")).metadata.annotations?.[readableByAnnotation];
        assert.equal(await recorded(), undefined);
        await recordStoring(api, resolveCluster({ name: "c", kubernetesVersion: "1.36.3" }));
        assert.equal(await recorded(), "1.36");
        await recordReadableBy(api, "1.37");
        assert.equal(await oldestReader(api), "1.37");
    });

    it("includes APIs in use that a later version removes", async () => {
        await api.call(`/apis/${deprecated}/clustertrustbundles`);
        const running = await runningCluster(api);
        assert.deepEqual(running.deprecatedApis, [{ name: `${deprecated} clustertrustbundles`, removedIn: "1.40" }]);
        const problems = upgradeProblems(running, { kubernetes: "1.40.0", etcd: "3.6.8" });
        assert.ok(
            problems.some(({ message }) => message.startsWith(`${deprecated} clustertrustbundles is in use, but`)),
        );
    });

    it("includes the files that nodes should have, and do have", async () => {
        const cluster = resolveCluster({ name: "c", kubernetesVersion: "1.36.3" });
        for (const manifest of nodeAgent(cluster, { pool: "controller", downloads, maxUnavailable: 1 }, "")) {
            await apply(manifest);
            const { template } = (manifest.spec ?? {}) as { template?: { metadata: object; spec: object } };
            if (template === undefined) continue;
            for (const [name, nodeName, status] of [
                ["settled", "c-controller-0", "True"],
                ["waits", "c-controller-1", "False"],
            ] as const) {
                const spec = { ...template.spec, nodeName, priorityClassName: undefined };
                const own = { ...template.metadata, name, namespace: "kube-system" };
                await apply({ apiVersion: "v1", kind: "Pod", metadata: own, spec });
                await setStatus(`/api/v1/namespaces/kube-system/pods/${name}`, {
                    conditions: [{ type: "Ready", status }],
                });
            }
        }
        for (const name of ["c-controller-0", "c-controller-1"]) {
            await apply({ apiVersion: "v1", kind: "Node", metadata: { name } });
            const info = { ...nodeInfo("v1.36.3"), architecture: "amd64" };
            await setStatus(`/api/v1/nodes/${name}`, { ...ready, nodeInfo: info });
        }

        const { kubelet, cniPlugins } = downloads;
        const { controller } = await downloadsInUse(api);
        assert.deepEqual(
            [controller!.desired, controller!.kubelets, controller!.cniPlugins],
            ["1.36.3", { "1.36.3": kubelet }, cniPlugins],
        );
        const has = { node: "c-controller-0", architecture: "amd64", kubelet: { version: "1.36.3", ...kubelet } };
        assert.deepEqual(await nodeFiles(api), [{ ...has, cniPlugins }]);

        const desired = { pool: "controller", architecture: "amd64", version: "1.36.3", downloads } as const;
        assert.deepEqual(await checksumProblems(api, [desired]), []);
        const [problem] = await checksumProblems(api, [{ ...desired, version: "1.35.4" }]);
        assert.match(
            problem!.message,
            /must be that of kubelet 1\.35\.4 .*, that of kubelet 1\.36\.3, which c-controller-0/,
        );
    });

    it("includes a kube-controller-manager that has ended with its lease, which is released for its successor", async () => {
        const name = "kube-controller-manager";
        const spec = { ...pod("1.36.3", name), nodeName: "away", automountServiceAccountToken: false };
        await apply({ apiVersion: "v1", kind: "Pod", metadata: { name: "successor", namespace: "kube-system" }, spec });
        const state = { running: { startedAt: "2026-01-01T00:10:00Z" } };
        const running = { name, image: "", imageID: "", ready: true, restartCount: 0, state };
        await setStatus("/api/v1/namespaces/kube-system/pods/successor", { containerStatuses: [running] });
        const held = {
            holderIdentity: "away_1",
            leaseDurationSeconds: 15,
            acquireTime: "2026-01-01T00:00:00.000000Z",
            renewTime: "2026-01-01T00:09:59.000000Z",
        };
        const lease = {
            apiVersion: "coordination.k8s.io/v1",
            kind: "Lease",
            metadata: { name, namespace: "kube-system" },
        };
        await apply({ ...lease, spec: held });
        const release = leaseReleaser(api);
        await until("the lease to be released", async () => {
            await release();
            const path = `/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/${name}`;
            const { spec } = await api.call<Lease>(path);
            return spec?.holderIdentity === "" && spec.renewTime === held.renewTime;
        });
    });

    it("includes objects that are stored in alpha versions, which other versions cannot read", async () => {
        const serves = (apis: string) => ({ version: "1.37.1", flags: [`--runtime-config=${apis}`] });
        const template = { name: "workers", schedulingPolicy: { basic: {} } };
        for (const name of ["a", "b", "c", "d"]) {
            const metadata = { name, namespace: "default" };
            await apply({ apiVersion: alpha, kind: "Workload", metadata, spec: { podGroupTemplates: [template] } });
        }
        const found = await storedAlpha(api, serves("api/alpha=true"));
        const names = ["default/a", "default/b", "default/c"];
        const storedAs = "scheduling.k8s.io/v1beta1";
        const expected = { api: alpha, storedAs, resource: "workloads", isNamespaced: true, names, count: 4 };
        assert.deepEqual(found, [expected]);
        const back = resolveCluster({ name: "c", kubernetesVersion: "1.36.3" });
        assert.match(
            storedAlphaProblems(found, back, true)[0]!.message,
            /^Kubernetes 1\.36\.3 cannot read 4 stored workloads of scheduling\.k8s\.io\/v1alpha3 \(default\/a, default\/b, default\/c, …\)/,
        );
        const none = { call: () => assert.fail("it asks") } as unknown as ApiClient;
        assert.deepEqual(await storedAlpha(none, serves("certificates.k8s.io/v1beta1=true")), []);
    });
});

function nodeInfo(kubeletVersion: string) {
    const unknown = ["machineID", "systemUUID", "bootID", "kernelVersion", "osImage", "containerRuntimeVersion"];
    const others = ["kubeProxyVersion", "operatingSystem", "architecture"];
    return { ...Object.fromEntries([...unknown, ...others].map((name) => [name, ""])), kubeletVersion };
}
