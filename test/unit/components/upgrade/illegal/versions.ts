import { etcdStatus, failingAgent, lacking, node, pod } from "./shown-cluster";
import type { Shown, Situations } from "./situation";

const next = { kubernetesVersion: "1.36.3" };
const namespace = "kube-system";
const members = ["c-controller-0", "c-controller-2"].map((name) => ({ name, version: "3.6.8" }));
const refusing = { name: "c-controller-1", problem: "connect ECONNREFUSED 10.0.0.12:2379" };

/** That somebody asked for an API. */
const asked = (group: string, resource: string, removedIn: string): Shown => ({
    kind: "Metrics",
    metadata: { name: resource },
    text: `apiserver_requested_deprecated_apis{group="${group}",removed_release="${removedIn}",resource="${resource}",subresource="",version="v1beta3"} 1`,
});

/** All that an upgrade from 1.35.4 comes to, as it was before. */
const older = [0, 1, 2]
    .map((index) => `c-controller-${index}`)
    .flatMap((on) => [
        node(on, { kubelet: "1.35.4", pool: "controller" }),
        ...["kube-apiserver", "kube-controller-manager", "kube-scheduler", "kube-proxy"].map((name) =>
            pod(name, "1.35.4", { on }),
        ),
    ])
    .concat(node("c-a-0", { kubelet: "1.35.4" }));

/** Other versions of Kubernetes that are refused. */
export const illegalVersions: Situations = {
    "a minor version is skipped": { told: { kubernetesVersion: "1.34.6" }, wanted: next },
    "two minor versions are skipped": { told: { kubernetesVersion: "1.33.9" }, wanted: next },
    "back to the minor version before": { told: next, wanted: { kubernetesVersion: "1.35.4" } },
    "back after a rollout that failed when one kube-apiserver of three was newer": {
        told: next,
        runs: older.filter(({ metadata }) => metadata.name !== "kube-apiserver-c-controller-0"),
        wanted: { kubernetesVersion: "1.35.4" },
    },
    "on when one kube-apiserver of three is two behind": {
        runs: [pod("kube-apiserver", "1.34.6")],
        wanted: next,
    },
    "from a version that none of this release may follow": { told: { kubernetesVersion: "1.29.0" }, wanted: next },
    "a kubelet that is four behind": { runs: [node("c-a-0", { kubelet: "1.32.1" })], wanted: next },
    "a kubelet that is newer": {
        told: { kubernetesVersion: "1.35.2" },
        runs: [node("c-a-0", { kubelet: "1.36.2" })],
        wanted: { kubernetesVersion: "1.35.4" },
    },
    "a scheduler that an upgrade that was broken off left behind": {
        runs: [pod("kube-scheduler", "1.34.6")],
        wanted: next,
    },
    "a controller manager that is newer": {
        told: { kubernetesVersion: "1.35.2" },
        runs: [pod("kube-controller-manager", "1.36.2")],
        wanted: { kubernetesVersion: "1.35.4" },
    },
    "a kube-proxy that is four behind": { runs: [pod("kube-proxy", "1.32.1")], wanted: next },
    "a member of etcd that is not healthy": { runs: [etcdStatus([...members, refusing])], wanted: next },
    "an etcd that takes no writes": {
        runs: [etcdStatus(members, { alarms: [{ member: "c-controller-0", memberId: "1", alarm: "NOSPACE" }] })],
        wanted: next,
    },
    "an etcd of which nobody tells": { runs: [etcdStatus()], wanted: next },
    "an etcd whose keeper does not run": {
        runs: [
            {
                kind: "Deployment",
                metadata: { name: "etcd-keeper", namespace },
                spec: { replicas: 1 },
                ...lacking(0, 1),
            },
        ],
        wanted: next,
    },
    "an API that is gone then": { runs: [asked("example.io", "flowschemas", "1.36")], wanted: next },
    "a controller that is not Ready": {
        runs: [node("c-controller-1", { kubelet: "1.35.4", pool: "controller", isReady: false })],
        wanted: next,
    },
    "a node whose agent would not change its kubelet": { runs: [failingAgent("c-a-0")], wanted: next },
    "a control plane that is not whole": {
        runs: [{ kind: "DaemonSet", metadata: { name: "checkpointer", namespace }, spec: {}, ...lacking(2, 3) }],
        wanted: next,
    },
};
