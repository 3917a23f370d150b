import assert from "node:assert/strict";
import type { Diagnostic, OwnedStep } from "../../../../cli/preview/model";
import { isShown, turns } from "../../../../cli/preview/order";
import { versionChanges } from "../../../../cli/preview/versions";
import { rollingWorkloads } from "../../../../cli/preview/workloads";
import { orderWithJobs, resolveUpgradeJobs } from "../../../../cluster/upgrades/jobs";
import { orderBack, upgradeOrder } from "../../../../cluster/upgrades/order";

const values = (version: string, name: string) => ({
    metadata: { name },
    spec: {
        template: {
            // The kubelet version is in the agent's plan, and also in an annotation for humans.
            ...(name.startsWith("node-agent")
                ? { metadata: { annotations: { "tradewind.dev/kubelet-version": version } } }
                : {
                      spec: {
                          containers: [
                              { name, image: `registry.example/${name}:v${version}@sha256:${"0".repeat(64)}` },
                          ],
                      },
                  }),
        },
    },
});
const workload = (component: string, name: string, [from, to]: readonly [string, string]): OwnedStep => ({
    operation: "update",
    type: "kubernetes:apps/v1:DaemonSet",
    name: `c/daemonset/kube-system/${name}`,
    urn: name,
    component,
    changed: [],
    replaces: [],
    isDeletedFirst: false,
    old: values(from, name),
    new: values(to, name),
});
const info = (message: string): Diagnostic => ({ severity: "info", message, resource: "c" });
const rolling = (...steps: OwnedStep[]) => rollingWorkloads({ name: "c", steps });

describe("the rollout order", () => {
    const [patch, minor] = [["1.35.3", "1.35.4"] as const, ["1.35.4", "1.36.3"] as const];

    it("is that of the stack, regardless of the order of Pulumi's events", () => {
        const steps = [
            workload("NodeAgents", "node-agent-a", minor),
            workload("NodeAgents", "node-agent-controller", minor),
            workload("Addons", "kube-proxy", minor),
            workload("SelfHosted", "kube-scheduler", minor),
            workload("SelfHosted", "kube-apiserver", minor),
            workload("SelfHosted", "checkpointer", minor),
        ];
        const said = [
            info("etcd of c-controller-0: 3.6.8 becomes 3.6.16"),
            info(`Kubernetes 1 becomes 2: ${upgradeOrder}`),
        ];
        assert.deepEqual(
            turns(rolling(...steps), ["c-fresh"], said).map(({ what }) => what),
            [
                "a snapshot of etcd",
                "etcd of c-controller-0: 3.6.8 becomes 3.6.16",
                "checkpointer",
                "kube-apiserver",
                "kube-scheduler",
                "kube-proxy",
                "the kubelets of controllers",
                "the kubelets of a",
                "the machines of c-fresh",
            ],
        );
        assert.ok(said.every(isShown));
    });

    it("has kube-apiserver last on the way back to an older minor version", () => {
        const back = ["1.36.3", "1.35.4"] as const;
        const steps = [
            workload("SelfHosted", "kube-apiserver", back),
            workload("SelfHosted", "kube-scheduler", back),
            workload("NodeAgents", "node-agent-a", back),
        ];
        const said = [info(`Kubernetes 1.36.3 goes back to 1.35.4: ${orderBack}`)];
        assert.deepEqual(
            turns(rolling(...steps), [], said).map(({ what }) => what),
            ["a snapshot of etcd", "the kubelets of a", "kube-scheduler", "kube-apiserver"],
        );
        assert.ok(said.every(isShown));
    });

    it("includes the user's Jobs", () => {
        const jobs = [
            { name: "check", before: "snapshot" },
            { name: "etcd-check", after: "etcd" },
            { name: "smoke", after: "apiserver" },
            { name: "end", after: "workerKubelets" },
        ].map((job) => ({ ...job, image: "registry.example/test:v1" }));
        const order = orderWithJobs(resolveUpgradeJobs(jobs));
        const steps = [
            workload("NodeAgents", "node-agent-a", minor),
            workload("SelfHosted", "kube-apiserver", minor),
            workload("SelfHosted", "kube-scheduler", minor),
        ];
        assert.deepEqual(
            turns(rolling(...steps), [], [info(`Kubernetes 1 becomes 2: ${order}`)]).map(({ what }) => what),
            [
                "the Job check",
                "a snapshot of etcd",
                "the Job etcd-check",
                "kube-apiserver",
                "the Job smoke",
                "kube-scheduler",
                "the kubelets of a",
                "the Job end",
            ],
        );
    });

    it("drains nodes for a new minor version of kubelets, but not for a patch", () => {
        const costOf = (versions: readonly [string, string]) =>
            turns(rolling(workload("NodeAgents", "node-agent-a", versions)), [], [])[0]!.cost;
        assert.match(costOf(minor), /drained first/);
        assert.match(costOf(patch), /containers keep running/);
    });

    it("mentions changed CNI plugins of a pool, by the hash of their archive", () => {
        const annotated = (hash: string) => ({
            metadata: { name: "node-agent-a" },
            spec: { template: { metadata: { annotations: { "tradewind.dev/cni-plugins": hash } } } },
        });
        const step = {
            ...workload("NodeAgents", "node-agent-a", patch),
            old: annotated("b98f"),
            new: annotated("1111"),
        };
        assert.deepEqual(turns(rolling(step), [], []), [
            { what: "the kubelets and CNI plugins of a", cost: "one node at a time; containers keep running" },
        ]);
        assert.deepEqual(versionChanges(rolling(step), []), [{ what: ["CNI plugins of a"], from: "b98f", to: "1111" }]);
    });

    it("mentions changed container runtimes of a pool, with the drain that a new runc requires", () => {
        const annotated = (id: string) => ({
            metadata: { name: "node-agent-a" },
            spec: { template: { metadata: { annotations: { "tradewind.dev/container-runtime": id } } } },
        });
        const step = (to: string) => ({
            ...workload("NodeAgents", "node-agent-a", patch),
            old: annotated("1111-2222"),
            new: annotated(to),
        });
        const [first] = turns(rolling(step("3333-2222")), [], []);
        assert.equal(first!.what, "the kubelets and container runtimes of a");
        assert.match(first!.cost, /^one node at a time; containers keep running, but if the minor version of conta/);
        assert.match(turns(rolling(step("1111-3333")), [], [])[0]!.cost, /^one node at a time, each drained first/);
        assert.deepEqual(versionChanges(rolling(step("3333-2222")), []), [
            { what: ["containerd and runc of a"], from: "1111-2222", to: "3333-2222" },
        ]);
    });

    it("omits workloads with the same pods, and those that nothing waits for", () => {
        const same = workload("SelfHosted", "kube-apiserver", ["1.35.4", "1.35.4"]);
        assert.deepEqual(rolling(same), []);
        assert.deepEqual(turns(rolling(workload("EtcdCare", "etcd-keeper", minor)), [], []), []);
    });

    it("merges equal version changes", () => {
        const workloads = rolling(
            workload("SelfHosted", "kube-apiserver", minor),
            workload("NodeAgents", "node-agent-a", minor),
            workload("Addons", "coredns", ["1.14.0", "1.14.1"]),
        );
        assert.deepEqual(
            versionChanges(workloads, [info("etcd of c-controller-0: 3.6.8 becomes 3.6.16, --quota=1 comes")]),
            [
                { what: ["etcd of c-controller-0"], from: "3.6.8", to: "3.6.16" },
                { what: ["kube-apiserver", "kubelets of a"], from: "1.35.4", to: "1.36.3" },
                { what: ["coredns"], from: "1.14.0", to: "1.14.1" },
            ],
        );
    });

    it("says how many nodes of a pool change at the same time", () => {
        const paced = (maxUnavailable: unknown) => {
            const step = workload("NodeAgents", "node-agent-a", patch);
            const strategy = { rollingUpdate: { maxUnavailable } };
            const coming = step.new as { spec: object };
            const spec = { ...coming.spec, updateStrategy: strategy };
            return turns(rolling({ ...step, new: { ...coming, spec } }), [], [])[0]!.cost;
        };
        assert.equal(paced(1), "one node at a time; containers keep running");
        assert.equal(paced(3), "3 nodes at a time; containers keep running");
        assert.equal(paced("10%"), "10 % of the nodes at a time; containers keep running");
    });
});
