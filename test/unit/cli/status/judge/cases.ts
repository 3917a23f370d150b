import type { NodeRole } from "../../../../../agents/nodes/promoter/record";
import type { Repair } from "../../../../../agents/nodes/repairer/record";
import { type ClusterFacts, known, type NodeFacts, unknown } from "../../../../../cli/status/facts";
import {
    controller,
    healthy,
    machine,
    member,
    node,
    parts,
    pod,
    refuses,
    silent,
    silentMember,
    slowMember,
} from "../sample";

/** Title, facts, and the expected findings: `!` marks warnings. */
type Case = [string, ClusterFacts, string[]];

const pods = (...changed: ReturnType<typeof pod>[]) => {
    const kept = parts
        .map((part) => pod(part, "c-0"))
        .filter(({ component }) => !changed.some((each) => each.component === component));
    return known([...kept, ...changed]);
};
const without = (part: string) => known(parts.filter((each) => each !== part).map((each) => pod(each, "c-0")));
export const certificate = (name: string, end: string, isVerified = true) => ({
    name,
    notAfter: known(end),
    isVerified,
});
const etcd = (...members: ReturnType<typeof member>[]) => known({ members, alarms: [] });
const snapshot = (last: string) => known({ last: { at: last, name: "s" } });

const candidates = (roles: Record<string, NodeRole["role"]>) => ({
    count: 3,
    possible: ["c-0", "c-1", "c-2", "w-0"],
    roles: Object.fromEntries(
        Object.entries(roles).map(([name, role]) => [name, { role, since: "2026-01-01T00:00:00Z", why: "a test" }]),
    ),
});
const repair = (state: Repair["state"], problem?: string): Repair => ({
    ...{ uid: "u", state, since: "2026-01-01T00:00:00Z", why: "not Ready for 5 min", restarts: 1 },
    ...(problem && { problem }),
});
const lost = (name: string, more: Partial<NodeFacts> = {}) => node(name, { isReady: false, problem: "lost", ...more });

/** What is wrong, and what status finds: at least one case per kind of finding. */
export const cases: readonly Case[] = [
    ["all is well", healthy(), []],
    ["all is well on three controllers", healthy({}, 3), []],

    ["the load balancer is down", healthy({ api: { ...healthy().api, serving: refuses } }), ["load-balancer-down"]],
    ["the API cannot be reached at all", silent(), ["api-down"]],
    [
        "the only apiserver refuses",
        silent({ controllers: [controller("c-0", { apiserver: refuses })], api: { url: "u", serving: refuses } }),
        ["api-down"],
    ],
    ["the API rejects the kubeconfig", healthy({ nodes: unknown("401: Unauthorized") }), ["api-refuses"]],
    [
        "the kubeconfig is of a cluster with another CA",
        healthy({ nodes: unknown("unable to verify the first certificate") }),
        ["api-refuses"],
    ],
    ["the API is ready but slow", healthy({ nodes: unknown("no answer in time") }), ["api-fails"]],
    ["the API is ready but overloaded", healthy({ nodes: unknown("429: too many requests") }), ["api-fails"]],
    ["the API loses etcd", healthy({ nodes: unknown("500: etcdserver: request timed out") }), ["api-fails"]],
    ["the API breaks off", healthy({ nodes: unknown("socket hang up") }), ["api-fails"]],
    [
        "one of three apiservers is down",
        healthy({ controllers: [controller("c-0"), controller("c-1", { apiserver: refuses }), controller("c-2")] }, 3),
        ["apiserver-down"],
    ],
    [
        "a controller cannot be reached from here, as behind a firewall",
        healthy({ controllers: [controller("c-0", { apiserver: unknown("no answer within 2 s") })] }),
        [],
    ],
    [
        "a pod of a Job failed",
        healthy({
            pods: known([
                ...parts.map((part) => pod(part, "c-0")),
                pod("x", "c-0", { component: undefined, state: "not-ready", problem: "exit code 1", hasFailed: true }),
            ]),
        }),
        ["!job-pod-failed"],
    ],
    [
        "admission blocks the writes of the control plane, and would change others",
        healthy({
            admission: known(
                (["blocks", "limits", "alters", "risk"] as const).map((effect) => ({
                    effect,
                    message: "the webhook x refuses pods",
                    advice: "remove it",
                })),
            ),
        }),
        ["admission-blocked", "!admission-limits", "!admission-alters", "!admission-risk"],
    ],
    ["the clocks differ", healthy({ api: { ...healthy().api, clockAheadSeconds: -90 } }), ["!clock-differs"]],

    ["a machine is off", healthy({ machines: known([machine("c-0", { state: "exited" })]) }), ["machine-off"]],
    [
        "a machine of a local cluster is paused",
        healthy({ isLocal: true, machines: known([machine("c-0", { state: "paused" }), machine("w-0")]) }),
        ["machine-off"],
    ],
    [
        "a controller of a cloud cannot be reached by SSH",
        healthy({ machines: known([machine("c-0", { state: "unreached", inside: unknown("no route") })]) }),
        ["!machine-unreached"],
    ],
    [
        "all machines of a local cluster are off",
        silent({
            isLocal: true,
            machines: known([machine("c-0", { state: "exited", inside: unknown("it is exited") })]),
        }),
        ["api-down", "machine-off"],
    ],
    ["a machine hangs", healthy({ machines: known([machine("c-0", { inside: unknown("no") })]) }), ["machine-silent"]],
    [
        "a kubelet and a runtime are down",
        healthy({
            machines: known([machine("c-0", { inside: known({ kubelet: "does not answer", containerd: "failed" }) })]),
        }),
        ["containerd-down", "kubelet-down"],
    ],
    [
        "a power cut has damaged files of a machine, which has no copy",
        healthy({
            machines: known([
                machine("w-0", {
                    inside: known({
                        kubelet: "ok",
                        containerd: "active",
                        damaged: ["/etc/hostname", "/opt/cni/plugins.env"],
                    }),
                }),
            ]),
        }),
        ["file-damaged", "file-damaged"],
    ],
    [
        "a controller's kubelet has lost its certificate",
        healthy({
            machines: known([
                machine("c-0", {
                    inside: known({
                        kubelet: "does not answer",
                        containerd: "active",
                        saved: [],
                        hasCertificate: false,
                    }),
                }),
            ]),
        }),
        ["kubelet-down", "client-certificate-missing"],
    ],

    [
        "a worker is not Ready",
        healthy({ nodes: known([node("c-0"), node("w-0", { isReady: false, problem: "x" })]) }),
        ["node-not-ready"],
    ],
    [
        "a worker waits for a CNI",
        healthy({
            nodes: known([node("c-0"), node("w-0", { isReady: false, problem: "x: cni plugin not initialized" })]),
        }),
        ["node-without-cni"],
    ],
    [
        "a worker is cordoned",
        healthy({ nodes: known([node("c-0"), node("w-0", { isCordoned: true })]) }),
        ["!node-cordoned"],
    ],
    [
        "the requests of two kubelets wait, one of them without a reason",
        healthy({
            requests: known([
                { name: "csr-a", node: "w-1", approver: "node-approver", ageSeconds: 90, reason: "there is no pool w" },
                { name: "csr-b", approver: "serving-approver", ageSeconds: 400 },
            ]),
        }),
        ["!request-waits", "!request-waits"],
    ],
    ["a machine of the stack has no Node", healthy({ named: ["c-0", "w-7"] }), ["node-missing"]],
    [
        "a worker has lost its pool label, and another has that of another pool",
        healthy({
            nodes: known([
                node("c-0", { pool: "controller" }),
                node("w-0"),
                node("w-1", { pool: "b" }),
                node("w-2", { pool: "a" }),
            ]),
            pools: { "c-0": "controller", "w-0": "a", "w-1": "a", "w-2": "a" },
        }),
        ["node-without-pool", "node-without-pool"],
    ],
    [
        "a node that a cloud named has a pool",
        healthy({ nodes: known([node("c-0", { pool: "controller" }), node("i-0", { pool: "a" })]), pools: {} }),
        [],
    ],
    [
        "a pool of a cloud has fewer nodes than the stack desires",
        healthy({
            nodes: known([node("c-0", { pool: "controller" }), node("w-1", { pool: "b" })]),
            pools: {},
            shortPools: [{ name: "b", size: 2, present: 1 }],
        }),
        ["!pool-short"],
    ],
    [
        "nodes lack disk space, memory and process IDs",
        healthy({
            nodes: known([
                node("c-0", { conditions: ["DiskPressure"] }),
                node("w-0", { conditions: ["MemoryPressure", "KernelDeadlock", "PIDPressure"] }),
            ]),
        }),
        ["node-pressure", "node-pressure", "node-pressure"],
    ],
    [
        "a DaemonSet that every node needs is not scheduled to all",
        healthy({
            workloads: known([
                { kind: "DaemonSet", name: "node-agent-a", app: "node-agent", desired: 1, present: 1 },
                { kind: "DaemonSet", name: "node-agent-b", app: "node-agent", desired: 1, present: 1 },
                { kind: "DaemonSet", name: "kube-proxy", app: "kube-proxy", desired: 1, present: 1 },
            ]),
        }),
        ["agent-missing"],
    ],
    [
        "a machine of a local cluster does not exist, with or without its Node",
        healthy({
            isLocal: true,
            machines: known([machine("c-0")]),
            nodes: known([
                node("c-0", { pool: "controller" }),
                node("w-0", { pool: "a", isReady: false, problem: "x" }),
            ]),
            named: ["c-0", "w-0", "w-1"],
            pools: { "c-0": "controller", "w-0": "a", "w-1": "a" },
        }),
        ["machine-missing", "machine-missing"],
    ],
    [
        "a machine has static pods that are not the stack's",
        healthy({
            machines: known([
                machine("c-0", {
                    inside: known({
                        kubelet: "ok",
                        containerd: "active",
                        strayManifests: ["/etc/kubernetes/manifests/etcd.json.bak (pod etcd)"],
                    }),
                }),
            ]),
        }),
        ["!stray-manifest"],
    ],
    [
        "objects of the stack are missing, and others were changed",
        healthy({
            objects: known({
                isRecorded: true,
                missing: [
                    { apiVersion: "v1", kind: "Service", namespace: "kube-system", name: "kube-dns" },
                    { apiVersion: "v1", kind: "ConfigMap", namespace: "kube-system", name: "a" },
                    { apiVersion: "v1", kind: "ConfigMap", namespace: "kube-system", name: "b" },
                    { apiVersion: "storage.k8s.io/v1", kind: "StorageClass", name: "local" },
                ],
                missingBuiltIns: [{ apiVersion: "r", kind: "ClusterRoleBinding", name: "system:discovery" }],
                changed: [
                    { apiVersion: "v1", kind: "Service", name: "x", manager: "kubectl", fields: ["spec.selector"] },
                    { apiVersion: "v1", kind: "Deployment", name: "y", manager: "kubectl", fields: ["spec.paused"] },
                ],
            }),
        }),
        ["object-missing", "object-missing", "object-missing", "object-changed", "!object-missing", "!object-changed"],
    ],
    [
        "the record of the stack's objects is missing",
        healthy({ objects: known({ isRecorded: false, missing: [], missingBuiltIns: [], changed: [] }) }),
        ["record-missing"],
    ],
    ["the objects cannot be read", healthy({ objects: unknown("no answer in time") }), ["!objects-unknown"]],
    [
        "a pod waits for a volume of a node that was removed, and a namespace for a dead webhook",
        healthy({
            stranded: known([{ namespace: "web", name: "db-0", claim: "data", volume: "pv-1", node: "w-9" }]),
            ending: known([{ name: "old", sinceSeconds: 4320, problem: "x", definitions: ["things.example.com"] }]),
        }),
        ["!pod-stranded", "!namespace-ends"],
    ],
    [
        "candidates are controllers, and a controller is a candidate",
        healthy({ candidates: candidates({ "c-1": "controller", "c-3": "candidate" }) }, 3),
        [],
    ],
    [
        "a candidate replaces a controller that is lost",
        healthy(
            {
                nodes: known([
                    node("c-0"),
                    node("c-1"),
                    lost("c-2", { isController: false }),
                    node("w-0", { isController: false }),
                ]),
                candidates: candidates({ "c-2": "leaving", "w-0": "joining" }),
            },
            3,
        ),
        ["node-not-ready", "!controller-leaving", "!controller-joining"],
    ],
    [
        "a demoted controller is not cleaned up",
        healthy({
            candidates: { ...candidates({ "w-0": "leaving" }), count: 1 },
            nodes: known([node("c-0"), node("w-0", { isController: false })]),
        }),
        ["!controller-leaving"],
    ],
    [
        "no candidate can replace a controller",
        healthy({ candidates: { ...candidates({}), possible: ["c-0"], progress: "no candidate is Ready" } }, 1),
        ["controllers-missing"],
    ],
    [
        "the record of controllers cannot be read",
        healthy({ candidates: { ...candidates({}), problem: "controllers.json is not JSON" } }, 3),
        ["controllers-record"],
    ],
    [
        "no node has the role, with candidates",
        healthy({ nodes: known([node("c-0", { isController: false })]), candidates: candidates({}) }),
        ["no-controllers"],
    ],
    [
        "a controller restarts, and candidates are Ready",
        healthy(
            {
                nodes: known([node("c-0"), node("c-1"), lost("c-2"), node("w-0", { isController: false })]),
                candidates: candidates({}),
            },
            3,
        ),
        ["node-not-ready"],
    ],
    [
        "a controller has another address than its member",
        healthy({
            nodes: known([node("c-0", { address: "10.0.0.12" })]),
            etcd: etcd({ ...member("c-0"), address: "10.0.0.11" }),
        }),
        ["controller-moved"],
    ],
    [
        "machines are repaired, were, and only a person can repair one",
        healthy({
            repairs: {
                cloud: "digitalocean",
                machines: {
                    "w-0": repair("restarting"),
                    "w-1": repair("recovered"),
                    "w-2": repair("manual"),
                },
            },
        }),
        ["machine-needs-repair", "!machine-repair"],
    ],
    [
        "the cloud refuses to repair a machine",
        healthy({ repairs: { cloud: "aws", machines: { "i-1": repair("replacing", "AccessDenied") } } }),
        ["machine-repair-refused"],
    ],
    [
        "a repair waits because many nodes are not Ready",
        healthy({ repairs: { cloud: "aws", machines: {}, waits: "so are 5 of 6 nodes" } }),
        ["!machine-repair-waits"],
    ],
    [
        "the upgrade guard took an upgrade back",
        healthy({ upgrade: { from: "1.35.4", to: "1.36.3", takenBack: "the upgrade guard took it back" } }),
        ["!upgrade-taken-back"],
    ],
    [
        "the upgrade guard has no metrics",
        healthy({ upgrade: { from: "1.35.4", to: "1.36.3", undecided: "no metrics for 40 s" } }),
        ["!upgrade-undecided"],
    ],
    [
        "the API forbids everything",
        silent({
            api: { url: "u", serving: known({ isReady: false, detail: "answers 403" }) },
            nodes: unknown("403: nodes is forbidden"),
        }),
        ["api-refuses"],
    ],
    [
        "a kubelet presents no certificate although the cluster issues them",
        healthy({
            workloads: known([
                { kind: "DaemonSet", name: "serving-approver", app: "serving-approver", desired: 1, present: 1 },
            ]),
            certificates: [
                { name: "kubelet", node: "w-0", notAfter: unknown("tlsv1 alert internal error"), isVerified: false },
            ],
        }),
        ["!kubelet-without-certificate"],
    ],
    ["no node is a controller", healthy({ nodes: known([node("w-0")]) }), ["no-controllers"]],

    ["no scheduler runs", healthy({ pods: without("kube-scheduler") }), ["component-missing"]],
    ["no etcd runs", healthy({ pods: without("etcd") }), ["component-missing"]],
    [
        "the only apiserver is terminating",
        healthy({ pods: pods(pod("kube-apiserver", "c-0", { isEnding: true })) }),
        ["component-missing"],
    ],
    [
        "an apiserver runs from its checkpoint",
        healthy({ pods: pods(pod("kube-apiserver", "c-0", { origin: "checkpoint" })) }),
        ["!runs-from-checkpoint"],
    ],
    [
        "both a checkpoint and the regular pod are running",
        healthy({ pods: pods(pod("kube-apiserver", "c-0", { origin: "checkpoint" }), pod("kube-apiserver", "c-0")) }),
        [],
    ],
    [
        "a checkpoint replaces a failing pod",
        healthy({
            pods: pods(
                pod("kube-apiserver", "c-0", { origin: "checkpoint" }),
                pod("kube-apiserver", "c-0", { state: "not-ready", problem: "CrashLoopBackOff" }),
            ),
        }),
        ["pod-not-ready", "!runs-from-checkpoint"],
    ],
    [
        "the API is down, but the machine reports what is running",
        silent({ machines: known([machine("c-0")]), pods: known([pod("etcd", "c-0", { state: "running" })]) }),
        ["api-down", "component-missing", "component-missing", "component-missing"],
    ],
    [
        "a pod cannot be checkpointed",
        healthy({ checkpoints: known([{ node: "c-0", component: "kube-apiserver", refused: "it has a PVC" }]) }),
        ["!checkpoint-refused"],
    ],
    [
        "a checkpoint is damaged, and an earlier one is used",
        healthy({
            checkpoints: known([
                {
                    node: "c-0",
                    component: "kube-apiserver",
                    savedAt: "2026-11-20T06:00:00Z",
                    damaged: ["a/pod.json is empty"],
                },
            ]),
        }),
        ["!checkpoint-damaged"],
    ],
    [
        "the only checkpoint is damaged",
        healthy({
            checkpoints: known([{ node: "c-0", component: "kube-apiserver", damaged: ["a/pod.json is empty"] }]),
        }),
        ["checkpoint-damaged"],
    ],
    [
        "checkpointers have not reported for a while, or never",
        healthy({
            checkpointReports: [{ node: "c-0", ageSeconds: 299 }, { node: "c-1", ageSeconds: 901 }, { node: "c-2" }],
        }),
        ["!checkpointer-silent", "!checkpointer-silent"],
    ],
    [
        "a leader has been silent for long",
        healthy({ leaders: known([{ component: "kube-scheduler", node: "c-0", ageSeconds: 21, leaseSeconds: 15 }]) }),
        ["no-leader"],
    ],
    [
        "a leader is a little late",
        healthy({ leaders: known([{ component: "kube-scheduler", node: "c-0", ageSeconds: 20, leaseSeconds: 15 }]) }),
        [],
    ],
    [
        "no component leads",
        healthy({ leaders: known([{ component: "kube-scheduler", ageSeconds: 0, leaseSeconds: 0 }]) }),
        ["no-leader"],
    ],

    [
        "a pod does not become ready",
        healthy({
            pods: pods(pod("etcd", "c-0"), {
                ...pod("x", "w-0"),
                component: undefined,
                state: "not-ready",
                sinceSeconds: 60,
            }),
        }),
        ["pod-not-ready"],
    ],
    [
        "a pod starts",
        healthy({ pods: pods({ ...pod("x", "w-0"), component: undefined, state: "not-ready", sinceSeconds: 59 }) }),
        ["!pod-not-ready"],
    ],
    [
        "pods of a lost node are not ready",
        healthy({
            nodes: known([node("c-0"), node("w-0", { isReady: false, problem: "x" })]),
            pods: pods(pod("etcd", "c-0"), pod("kube-proxy", "w-0", { state: "not-ready" })),
        }),
        ["node-not-ready"],
    ],
    [
        "pods are missing",
        healthy({ workloads: known([{ kind: "DaemonSet", name: "flannel", desired: 2, present: 1 }]) }),
        ["pods-missing"],
    ],

    ["etcd cannot be queried", healthy({ etcd: unknown("exec is forbidden") }), ["!etcd-unknown"]],
    [
        "one of three members is down",
        healthy({ etcd: etcd(member("c-0"), member("c-1"), silentMember("c-2")) }, 3),
        ["etcd-member-down"],
    ],
    [
        "two of three members are down",
        healthy({ etcd: etcd(member("c-0"), silentMember("c-1"), silentMember("c-2")) }, 3),
        ["etcd-no-quorum", "etcd-member-down", "etcd-member-down"],
    ],
    [
        "two of five members are slow, and one is down",
        healthy(
            { etcd: etcd(member("c-0"), member("c-1"), slowMember("c-2"), slowMember("c-3"), silentMember("c-4")) },
            5,
        ),
        ["etcd-member-down", "!etcd-member-slow", "!etcd-member-slow"],
    ],
    ["the only member is slow", healthy({ etcd: etcd(slowMember("c-0")) }), ["!etcd-member-slow"]],
    ["a member knows no leader", healthy({ etcd: etcd(member("c-0", { leader: undefined })) }), ["etcd-no-leader"]],
    [
        "members disagree",
        healthy({ etcd: etcd(member("c-0"), member("c-1", { leader: "a1" }), member("c-2")) }, 3),
        ["etcd-no-leader"],
    ],
    [
        "a member is a learner",
        healthy({ etcd: etcd({ ...member("c-0"), isLearner: false }, { ...member("c-1"), isLearner: true }) }),
        ["!etcd-learner"],
    ],
    [
        "an arbiter has no member",
        healthy({ nodes: known([node("c-0"), { ...node("c-arbiter-0"), isController: false, isArbiter: true }]) }),
        ["etcd-member-missing"],
    ],
    ["a controller has no member", healthy({ etcd: etcd(member("c-0"), member("c-1")) }, 3), ["etcd-member-missing"]],
    [
        "etcd's database is nearly full",
        healthy({ etcd: etcd(member("c-0", { dbSize: 0.8 * 2 ** 31 })) }),
        ["!etcd-full"],
    ],
    [
        "etcd's database is almost full",
        healthy({ etcd: etcd(member("c-0", { dbSize: 0.95 * 2 ** 31 })) }),
        ["etcd-full"],
    ],
    ["etcd reports an error", healthy({ etcd: etcd(member("c-0", { errors: ["no space"] })) }), ["etcd-member-error"]],
    [
        "etcd raised an alarm",
        healthy({ etcd: known({ members: [member("c-0")], alarms: [{ member: "a0", type: "CORRUPT" }] }) }),
        ["etcd-alarm"],
    ],

    [
        "etcd is full",
        healthy({ etcd: known({ members: [member("c-0")], alarms: [{ member: "a0", type: "NOSPACE" }] }) }),
        ["etcd-alarm"],
    ],

    ["the last snapshot is from today", healthy({ snapshot: snapshot("2026-11-20T06:00:00Z") }), []],
    ["the last snapshot is old", healthy({ snapshot: snapshot("2026-11-20T03:00:00Z") }), ["!snapshot-old"]],
    [
        "the last snapshot failed",
        healthy({ snapshot: known({ failure: "disk full", copyFailure: "403" }) }),
        ["!snapshot-failed", "!snapshot-copy-failed"],
    ],
    [
        "a snapshot is overdue",
        healthy({ snapshot: known({ last: { at: "2026-11-20T22:00:00Z", name: "s" }, next: "2026-11-21T04:00:00Z" }) }),
        ["!snapshot-overdue"],
    ],
    ["the state of snapshots cannot be read", healthy({ snapshot: unknown("x") }), ["!snapshot-unknown"]],

    ["a certificate expires in 31 days", healthy({ certificates: [certificate("etcd", "2026-12-22T06:00:00Z")] }), []],
    [
        "a certificate expires in 29 days",
        healthy({ certificates: [certificate("etcd", "2026-12-20T06:00:00Z")] }),
        ["!certificate-ends"],
    ],
    [
        "a certificate expires in 6 days",
        healthy({ certificates: [certificate("etcd", "2026-11-27T06:00:00Z")] }),
        ["certificate-ends"],
    ],
    [
        "a certificate has expired",
        healthy({ certificates: [certificate("etcd", "2026-11-20T06:00:00Z")] }),
        ["certificate-ends"],
    ],
    [
        "an unverified certificate expires in 29 days",
        healthy({ certificates: [certificate("kubelet", "2026-12-20T06:00:00Z", false)] }),
        [],
    ],
    [
        "an unverified certificate expires in 6 days",
        healthy({ certificates: [certificate("kubelet", "2026-11-27T06:00:00Z", false)] }),
        ["!certificate-ends"],
    ],
    ...(["kubelet", "kubelet client"] as const).map(
        (name): Case => [
            `the certificate of a ${name} has expired`,
            healthy({ certificates: [{ ...certificate(name, "2026-11-20T06:00:00Z"), node: "w-0" }] }),
            ["certificate-ends"],
        ],
    ),
    [
        "several certificates with the same name expire on the same day",
        healthy({
            certificates: ["a", "b"].map((name) => ({ ...certificate("etcd", "2026-11-27T06:00:00Z"), node: name })),
        }),
        ["certificate-ends"],
    ],
    [
        "the expiry of a certificate is unknown",
        healthy({ certificates: [{ name: "etcd", notAfter: unknown("x"), isVerified: true }] }),
        [],
    ],

    ["a kubelet is 3 minors older", healthy({ nodes: known([node("c-0"), node("w-0", { kubelet: "1.33.9" })]) }), []],
    [
        "a kubelet is 4 minors older",
        healthy({ nodes: known([node("c-0"), node("w-0", { kubelet: "1.32.0" })]) }),
        ["version-skew", "version-skew"],
    ],
    ["a kubelet is a patch newer", healthy({ nodes: known([node("c-0"), node("w-0", { kubelet: "1.36.4" })]) }), []],
    [
        "a kubelet is a minor newer",
        healthy({ nodes: known([node("c-0"), node("w-0", { kubelet: "1.37.0" })]) }),
        ["version-skew"],
    ],
    ["a scheduler is a minor older", healthy({ pods: pods(pod("kube-scheduler", "c-0", { version: "1.35.4" })) }), []],
    [
        "a scheduler is 2 minors older",
        healthy({ pods: pods(pod("kube-scheduler", "c-0", { version: "1.34.0" })) }),
        ["version-skew"],
    ],
    [
        "a controller-manager is newer",
        healthy({ pods: pods(pod("kube-controller-manager", "c-0", { version: "1.37.0" })) }),
        ["version-skew"],
    ],
    [
        "a kube-proxy on every node, whose pods are not listed, is newer",
        healthy({
            workloads: known([
                {
                    kind: "DaemonSet",
                    name: "kube-proxy",
                    desired: 60,
                    present: 60,
                    isUnlisted: true,
                    version: "1.37.0",
                },
            ]),
        }),
        ["version-skew"],
    ],
    [
        "the version of an image is unknown",
        healthy({ pods: pods(pod("kube-scheduler", "c-0", { version: undefined })) }),
        [],
    ],
    [
        "apiservers are a minor apart, and a kubelet is as new as the newest",
        healthy(
            {
                controllers: [controller("c-0"), controller("c-1", { version: known("1.35.4") }), controller("c-2")],
            },
            3,
        ),
        [...Array(4).fill("version-skew"), "!versions-differ"],
    ],
];
