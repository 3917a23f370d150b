import assert from "node:assert/strict";
import { planProblems } from "../../../../../agents/harness/plan";
import { planSchema } from "../../../../../agents/nodes/node-agent/plan";
import { bundleAgent } from "../../../../../bundling/agents";
import { nodeAgent, nodeAgentPlan } from "../../../../../cluster/manifests/nodes/node-agent";
import { resolveCluster } from "../../../../../cluster/resolve";
import { downloads, fixedCluster, podSpecOf } from "../../../components/in-cluster/fixture";
import { golden } from "../../../golden";

const cluster = fixedCluster();
const pool = { pool: "controller", downloads, maxUnavailable: 1 };
const specOf = (...[of = cluster, more = {}, program = "program"]: [typeof cluster?, object?, string?]) =>
    podSpecOf(nodeAgent(of, { ...pool, ...more }, program)[1]!);

describe("the node-agent's objects", () => {
    it("are as reviewed", () => golden(__dirname, "node-agent", nodeAgent(cluster, pool, "program")));

    it("have room for the agent", () => assert.ok(bundleAgent("node-agent").length < 2 ** 20));

    it("roll its pods when its program, the version, the kubelet or CNI plugins change, and at no other time", () => {
        assert.deepEqual(specOf(), specOf());
        const kubelet = { urls: ["http://elsewhere.test/kubelet"], sha256: "9".repeat(64) };
        const others = [
            specOf(cluster, {}, "other"),
            specOf(resolveCluster({ name: cluster.name, kubernetesVersion: "1.35.4" })),
            specOf(cluster, { downloads: { ...downloads, kubelet } }),
            specOf(cluster, {
                downloads: { ...downloads, cniPlugins: { ...downloads.cniPlugins, sha256: "9".repeat(64) } },
            }),
        ];
        for (const other of others) assert.notDeepEqual(other, specOf());
    });

    describe("in a pool whose machines may be terminated", () => {
        const group = { name: "c-a", hook: "c-a-drain", region: "r", service: "https://autoscaling.r.amazonaws.com" };
        const departures = { noticesFrom: "http://169.254.169.254", group };

        it("watch for termination notices, in no other pool", () => {
            const plan = nodeAgentPlan(cluster, { ...pool, departures });
            assert.deepEqual(planProblems(plan, planSchema), []);
            assert.deepEqual(plan, { ...nodeAgentPlan(cluster, pool), ...departures });
            // The metadata service only responds to the host network.
            assert.equal(specOf()?.hostNetwork, true);
        });

        it("trust the CAs of their nodes, because they connect to servers outside the cluster", () => {
            const [asks, other] = [specOf(cluster, { departures }), specOf()].map((spec) => JSON.stringify(spec));
            for (const text of ["NODE_EXTRA_CA_CERTS", '"mountPath":"/etc/ssl/certs"', '"path":"/etc/ssl/certs"']) {
                assert.ok(asks!.includes(text), text);
                assert.ok(!other!.includes(text), text);
            }
        });
    });

    it("have no permissions of their own, because the agent uses its node's kubelet credentials", () => {
        const manifests = nodeAgent(cluster, pool, "program");
        assert.deepEqual(
            manifests.map(({ kind }) => kind),
            ["ConfigMap", "DaemonSet"],
        );
        assert.equal(specOf()?.automountServiceAccountToken, false);
    });

    it("may change certificates once there is another CA, which their pods are annotated with", () => {
        const mountOf = (of: typeof cluster) => {
            const { containers } = specOf(of) as unknown as { containers: { volumeMounts: { name: string }[] }[] };
            return containers[0]!.volumeMounts.find(({ name }) => name === "kubelet-pki");
        };
        const other = fixedCluster({ keys: { kubernetesCa: [2, 1] } });
        assert.deepEqual({ ...mountOf(other), readOnly: true }, mountOf(cluster));
        const daemonSet = nodeAgent(other, pool, "program")[1]!;
        const { template } = daemonSet.spec as { template: { metadata: { annotations: object } } };
        assert.deepEqual(
            (template.metadata.annotations as Record<string, string>)["tradewind.dev/keys"],
            '{"kubernetesCa":[2,1]}',
        );
    });

    it("see the member of etcd on controllers that are rebooted, and on no other node", () => {
        const rebooted = resolveCluster({ name: cluster.name, osReboots: { windows: ["Sun 02:00-05:00"] } });
        const sees = (...args: Parameters<typeof specOf>) =>
            JSON.stringify(specOf(...args)).includes('"/etc/kubernetes/pki"');
        assert.equal(sees(rebooted), true);
        assert.equal(sees(rebooted, { pool: "a" }), false);
        assert.equal(sees(cluster), false);
        assert.deepEqual(planProblems(nodeAgentPlan(rebooted, pool), planSchema), []);
    });

    it("mount every path of its plan at that path", () => {
        const { containers } = specOf() as unknown as { containers: { volumeMounts: { mountPath: string }[] }[] };
        const mounted = containers[0]!.volumeMounts.map(({ mountPath }) => mountPath);
        const { directories, credentials } = nodeAgentPlan(cluster, pool);
        for (const path of [...Object.values(directories), ...Object.values(credentials)]) {
            assert.ok(
                mounted.some((mount) => path === mount || path.startsWith(`${mount}/`)),
                path,
            );
        }
    });
});

describe("the plan of a node-agent", () => {
    it("is what it understands", () => assert.deepEqual(planProblems(nodeAgentPlan(cluster, pool), planSchema), []));

    it("is the cluster's version, and others that a node's annotation may name", () => {
        const other = { urls: ["http://mirror.test/kubelet"], sha256: "8".repeat(64) };
        const plan = nodeAgentPlan(cluster, {
            ...pool,
            downloads: { ...downloads, otherKubelets: { "1.35.4": other } },
        });
        assert.equal(plan.desired, cluster.versions.kubernetes);
        assert.deepEqual(plan.kubelets, { [cluster.versions.kubernetes]: downloads.kubelet, "1.35.4": other });
    });

    it("is which CNI plugins nodes have, and others that a node's annotation may name", () => {
        const other = { urls: ["http://mirror.test/cni.tgz"], sha256: "8".repeat(64) };
        assert.deepEqual(nodeAgentPlan(cluster, pool).cniPlugins, downloads.cniPlugins);
        const plan = nodeAgentPlan(cluster, { ...pool, downloads: { ...downloads, otherCniPlugins: [other] } });
        assert.deepEqual([plan.cniPlugins, plan.otherCniPlugins], [downloads.cniPlugins, [other]]);
        assert.deepEqual(planProblems(plan, planSchema), []);
    });

    it("is which container runtime nodes have, where they fetch one, and its directory, which its pods see", () => {
        const [containerd, runc] = ["7", "8"].map((digit) => ({ urls: ["http://a.test/x"], sha256: digit.repeat(64) }));
        const runtime = { containerd: containerd!, runc: runc! };
        const fetched = { ...downloads, containerRuntime: runtime, otherContainerRuntimes: [runtime] };
        const plan = nodeAgentPlan(cluster, { ...pool, downloads: fetched });
        assert.deepEqual([plan.containerRuntime, plan.otherContainerRuntimes], [runtime, [runtime]]);
        assert.deepEqual(planProblems(plan, planSchema), []);
        const path = plan.directories.containerRuntime!;
        const sees = (of: object) => JSON.stringify(specOf(cluster, of)).includes(path);
        assert.deepEqual([sees({ downloads: fetched }), sees({})], [true, false]);
        const daemonSet = nodeAgent(cluster, { ...pool, downloads: fetched }, "program")[1]!;
        const { template } = daemonSet.spec as { template: { metadata: { annotations: Record<string, string> } } };
        assert.equal(template.metadata.annotations["tradewind.dev/container-runtime"], "777777777777-888888888888");
    });

    it("includes a controller's own apiserver, whose checkpointer removes leftovers of a shutdown", () => {
        const [controller, worker] = ["controller", "a"].map((name) => nodeAgentPlan(cluster, { ...pool, pool: name }));
        assert.equal(controller!.apiServers[0], "https://127.0.0.1:6443");
        assert.deepEqual(worker!.apiServers, controller!.apiServers.slice(1));
        assert.deepEqual([controller!.removesEndedPods, worker!.removesEndedPods], [false, true]);
    });

    it("is to have machines reboot where that has a window", () => {
        const osReboots = { windows: ["Sun 02:00-05:00"] };
        assert.equal(nodeAgentPlan(cluster, pool).rebootsOs, undefined);
        assert.equal(nodeAgentPlan(resolveCluster({ name: "c", osReboots }), pool).rebootsOs, true);
    });

    it("includes the trusted and the issuing CA, once they differ from the initial one", () => {
        assert.equal(nodeAgentPlan(cluster, pool).identity, undefined);
        const certificates = { kubeletServing: "issued" };
        const plan = nodeAgentPlan(fixedCluster({ keys: { kubernetesCa: [2, 1] }, certificates }), pool);
        assert.deepEqual(planProblems(plan, planSchema), []);
        assert.deepEqual(plan.identity, {
            authorities: ["kubernetes-ca", "kubernetes-ca-2"],
            issuer: "kubernetes-ca-2",
            asksForServer: true,
            apiServer: "https://api.c.tradewind.internal:6443",
            otherApiServers: { "c-controller-0": "https://127.0.0.1:6443" },
            directory: "/var/lib/kubelet/pki",
        });
    });

    it("is how long a drain may take, where that is not the agent's own limit", () => {
        const plan = nodeAgentPlan(cluster, { ...pool, drainSeconds: 30 });
        assert.deepEqual(planProblems(plan, planSchema), []);
        assert.deepEqual(plan.limits, { drain: 30 });
        assert.equal("limits" in nodeAgentPlan(cluster, { ...pool, drainSeconds: 300 }), false);
        assert.equal("limits" in nodeAgentPlan(cluster, pool), false);
    });

    it("is to leave the pods of a cluster's only node where they are", () => {
        const alone = resolveCluster({ name: "c" });
        const two = resolveCluster({ name: "c", workerPools: [{ name: "a" }] });
        assert.equal(nodeAgentPlan(alone, pool).hasOtherNodes, false);
        assert.equal(nodeAgentPlan(two, pool).hasOtherNodes, true);
    });
});
