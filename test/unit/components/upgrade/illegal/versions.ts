import { etcdStatus, failingAgent, lacking, node, pod } from "./shown-cluster";
import type { Shown, Situations } from "./situation";

const next = { kubernetesVersion: "1.36.3" };
const namespace = "kube-system";
const members = ["c-controller-0", "c-controller-2"].map((name) => ({ name, version: "3.6.8" }));

/** The guard took an upgrade back. */
const takenBack = (to: string, state: string, record: object = {}): Shown => ({
    kind: "ConfigMap",
    metadata: { name: "tradewind-upgrade", namespace },
    data: {
        "upgrade.json": JSON.stringify({ id: "1", from: "1.35.4", to, ...record }),
        "guard.json": JSON.stringify({
            id: "1",
            state,
            since: "2026-11-29T12:00:31Z",
            breach: {
                what: "p99 of writes",
                before: "12 ms",
                after: "480 ms",
                limit: "60 ms",
                at: "2026-11-29T12:00:03Z",
            },
        }),
    },
});
const refusing = { name: "c-controller-1", problem: "connect ECONNREFUSED 10.0.0.12:2379" };

/** A request for a deprecated API. */
const asked = (group: string, resource: string, removedIn: string): Shown => ({
    kind: "Metrics",
    metadata: { name: resource },
    text: `apiserver_requested_deprecated_apis{group="${group}",removed_release="${removedIn}",resource="${resource}",subresource="",version="v1beta3"} 1`,
});

/** Kubernetes versions that are refused. */
export const illegalVersions: Situations = {
    "a minor version is skipped": { reported: { kubernetesVersion: "1.34.6" }, desired: next },
    "two minor versions are skipped": { reported: { kubernetesVersion: "1.33.9" }, desired: next },
    "back to a version that cannot read what the running one stores": {
        reported: next,
        runs: [pod("kube-apiserver", "1.36.3", { command: ["kube-apiserver", "--min-compatibility-version=1.36"] })],
        desired: { kubernetesVersion: "1.35.4" },
    },
    "back to a version that cannot read what an earlier one stored": {
        reported: next,
        runs: [
            {
                kind: "Namespace",
                metadata: { name: namespace, annotations: { "tradewind.dev/readable-by": "1.36" } },
            },
        ],
        desired: { kubernetesVersion: "1.35.4" },
    },
    "an older version to go back to than one that can read what is stored": {
        reported: { ...next, rollbackTo: "1.36" },
        runs: [
            {
                kind: "Namespace",
                metadata: { name: namespace, annotations: { "tradewind.dev/readable-by": "1.36" } },
            },
        ],
        desired: { ...next, rollbackTo: "1.35" },
    },
    "back with a kubelet that stays newer": {
        reported: next,
        runs: [node("by-hand", { kubelet: "1.36.3", pool: null })],
        desired: { kubernetesVersion: "1.35.4" },
    },
    "an upgrade with one kube-apiserver of three two versions behind": {
        runs: [pod("kube-apiserver", "1.34.6")],
        desired: next,
    },
    "a version that the upgrade guard took back": { runs: [takenBack("1.36.3", "rolled-back")], desired: next },
    "a version that the upgrade guard is taking back": { runs: [takenBack("1.36.3", "rolling-back")], desired: next },
    "another version while the upgrade guard takes one back": {
        runs: [takenBack("1.35.5", "rolling-back")],
        desired: next,
    },
    "from a version that none of this release may follow": { reported: { kubernetesVersion: "1.29.0" }, desired: next },
    "a kubelet four versions behind": { runs: [node("c-a-0", { kubelet: "1.32.1" })], desired: next },
    "a newer kubelet": {
        reported: { kubernetesVersion: "1.35.2" },
        runs: [node("c-a-0", { kubelet: "1.36.2" })],
        desired: { kubernetesVersion: "1.35.4" },
    },
    "a scheduler left behind by an interrupted upgrade": {
        runs: [pod("kube-scheduler", "1.34.6")],
        desired: next,
    },
    "a newer controller manager": {
        reported: { kubernetesVersion: "1.35.2" },
        runs: [pod("kube-controller-manager", "1.36.2")],
        desired: { kubernetesVersion: "1.35.4" },
    },
    "a kube-proxy four versions behind": { runs: [pod("kube-proxy", "1.32.1")], desired: next },
    "an unhealthy etcd member": { runs: [etcdStatus([...members, refusing])], desired: next },
    "an etcd that refuses writes": {
        runs: [etcdStatus(members, { alarms: [{ member: "c-controller-0", memberId: "1", alarm: "NOSPACE" }] })],
        desired: next,
    },
    "an etcd without a report": { runs: [etcdStatus()], desired: next },
    "an etcd whose keeper does not run": {
        runs: [
            {
                kind: "Deployment",
                metadata: { name: "etcd-keeper", namespace },
                spec: { replicas: 1 },
                ...lacking(0, 1),
            },
        ],
        desired: next,
    },
    "an API removed by the upgrade": { runs: [asked("example.io", "flowschemas", "1.36")], desired: next },
    "a controller that is not Ready": {
        runs: [node("c-controller-1", { kubelet: "1.35.4", pool: "controller", isReady: false })],
        desired: next,
    },
    "a node whose agent would not update its kubelet": { runs: [failingAgent("c-a-0")], desired: next },
    "an unhealthy control plane": {
        runs: [{ kind: "DaemonSet", metadata: { name: "checkpointer", namespace }, spec: {}, ...lacking(2, 3) }],
        desired: next,
    },
};
