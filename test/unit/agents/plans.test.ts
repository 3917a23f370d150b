import assert from "node:assert/strict";
import type * as v from "valibot";
import { planSchema as bootstrap } from "../../../agents/boot/bootstrap/plan";
import { planSchema as receiver } from "../../../agents/boot/receiver/plan";
import { planSchema as report } from "../../../agents/boot/report/plan";
import { planSchema as etcdCertificates } from "../../../agents/etcd/certificates/plan";
import { planSchema as etcdJoin } from "../../../agents/etcd/join/plan";
import { planSchema as etcdKeeper } from "../../../agents/etcd/keeper/plan";
import { planSchema as etcdPod } from "../../../agents/etcd/pod/plan";
import { planSchema as etcdUpdate } from "../../../agents/etcd/update/plan";
import { planProblems } from "../../../agents/harness/plan";
import { planSchema as metricsProxy } from "../../../agents/metrics-proxy/plan";
import { planSchema as nodeApprover, poolsSchema } from "../../../agents/nodes/approver/plan";
import { planSchema as nodeCleaner } from "../../../agents/nodes/cleaner/plan";
import { planSchema as nodeAgent } from "../../../agents/nodes/node-agent/plan";
import { planSchema as rebootApprover } from "../../../agents/nodes/reboot-approver/plan";
import { planSchema as nodeRemoval } from "../../../agents/nodes/removal/plan";
import { planSchema as nodeRepairer } from "../../../agents/nodes/repairer/plan";
import { planSchema as servingApprover } from "../../../agents/nodes/serving-approver/plan";
import { planSchema as secretsRewrite } from "../../../agents/secrets-rewrite/plan";
import { bootstrapReceiver } from "../../../cluster/machines/bootstrap/receiver";
import { etcdPodPlan } from "../../../cluster/manifests/etcd/etcd";
import { etcdCertificatesPlan } from "../../../cluster/manifests/etcd/etcd-certificates";
import { etcdJoinPlan } from "../../../cluster/manifests/etcd/etcd-join";
import { etcdKeeperPlan } from "../../../cluster/manifests/etcd/etcd-keeper";
import { etcdUpdatePlan } from "../../../cluster/manifests/etcd/etcd-update";
import { metricsProxyPlan } from "../../../cluster/manifests/metrics-proxy";
import { nodeAgentPlan } from "../../../cluster/manifests/nodes/node-agent";
import { nodeCleanerPlan } from "../../../cluster/manifests/nodes/node-cleaner";
import { nodeRemovalPlan } from "../../../cluster/manifests/nodes/node-removal";
import { nodeRepairerPlan } from "../../../cluster/manifests/nodes/node-repairer";
import { rebootApproverPlan } from "../../../cluster/manifests/nodes/reboot-approver";
import { resolveRepair } from "../../../cluster/repair";
import { resolveCluster } from "../../../cluster/resolve";
import { repairAccess as awsRepair } from "../../../components/aws/in-cluster";
import { diffable } from "../../../ignition";
import { downloads, fixedCluster } from "../components/in-cluster/fixture";
import { golden } from "../golden";
import { examplePlan } from "./boot/bootstrap/assets";
import { plan as approverPlan, pools } from "./nodes/approver/asked";

const cluster = fixedCluster();
const [machine, other] = [11, 12].map((last, index) => ({ name: `c-controller-${index}`, address: `10.0.0.${last}` }));
const receiverFiles = diffable(bootstrapReceiver(cluster, { certificate: { cert: "cert", key: "key" }, agent: "" }));
const ec2 = { ec2: "https://ec2.eu-central-1.amazonaws.com", region: "eu-central-1", namePattern: "^i-.*$" };
const namePattern = { namePattern: ec2.namePattern, region: ec2.region };
const s3 = { endpoint: "https://s3.example.com", bucket: "backups", isEncrypted: true };
const host = { ca: "/ca.crt", cert: "/tls.crt", key: "/tls.key", state: "/state", kubeconfig: "/kubeconfig" };

const ofPool = { pool: "controller", downloads, maxUnavailable: 1 };
const agentPlan = nodeAgentPlan(fixedCluster({ keys: { kubernetesCa: [1, 2] } }), ofPool);
const [source] = Object.values(agentPlan.kubelets);
const runtime = { containerd: source!, runc: source! };

const repair = resolveRepair({});
const droplets = {
    name: "digitalocean",
    hasToken: true,
    cloud: { api: "https://api.digitalocean.com", tag: "c" },
} as const;

/** Plans as the stack writes them, with optional fields. */
const plans: Readonly<Record<string, readonly [v.GenericSchema, object]>> = {
    "bootstrap receiver": [
        receiver,
        JSON.parse(receiverFiles["/opt/tradewind/bootstrap-receiver/plan.json"]!.replace(/^mode.*\n/, "")),
    ],
    "bootstrap report": [
        report,
        { root: "/host", port: 6443, apiservers: ["127.9.8.7"], ...host, staticPods: "/pods", manifests: "/manifests" },
    ],
    "etcd-certificates": [etcdCertificates, etcdCertificatesPlan(cluster, "c-controller-0")],
    "etcd-join": [etcdJoin, etcdJoinPlan(cluster, machine!, [other!])],
    "etcd-keeper": [etcdKeeper, etcdKeeperPlan(resolveCluster({ name: "c", etcdSnapshots: { s3 } }))],
    "etcd-pod": [etcdPod, { ...etcdPodPlan(cluster), stoppedSeconds: 10 }],
    "etcd-update": [
        etcdUpdate,
        etcdUpdatePlan(cluster, {
            id: "u",
            start: { machine: machine!, members: [machine!] } as never,
            members: [machine!],
        }),
    ],
    "metrics-proxy": [metricsProxy, metricsProxyPlan(cluster, "controller")],
    "node-agent": [
        nodeAgent,
        {
            ...agentPlan,
            otherCniPlugins: [source],
            containerRuntime: runtime,
            otherContainerRuntimes: [runtime],
            directories: { ...agentPlan.directories, containerRuntime: "/opt/runtimes" },
            group: { name: "c-a", hook: "c-a-drain", region: "r", service: "https://autoscaling.r.amazonaws.com" },
            noticesFrom: "http://169.254.169.254",
            etcd: { endpoint: "https://127.0.0.1:2379", pki: "/pki" },
            rebootsOs: true,
            hasOwnCni: true,
            limits: { drain: 300 },
        },
    ],
    "node-approver": [nodeApprover, approverPlan],
    "pools of node-approver": [poolsSchema, pools],
    "node-cleaner": [nodeCleaner, nodeCleanerPlan(namePattern as never)],
    "node-removal": [
        nodeRemoval,
        { ...nodeRemovalPlan(cluster, [machine!]), groups: { namePattern: ec2.namePattern, desired: ["a"] } },
    ],
    "node-repairer on AWS": [nodeRepairer, nodeRepairerPlan({ repair, by: awsRepair("c", namePattern) })],
    "node-repairer on DigitalOcean": [nodeRepairer, nodeRepairerPlan({ repair, by: droplets })],
    "reboot-approver": [rebootApprover, rebootApproverPlan({ windows: [{ days: [0], start: 120, minutes: 180 }] })],
    "serving-approver": [
        servingApprover,
        { apiServer: "https://127.0.0.1:6443", machines: "/etc/machines.json", instances: { ...ec2, groups: ["c-a"] } },
    ],
    "secrets-rewrite": [secretsRewrite, { apiServer: "https://127.0.0.1:6443", pageSize: 500 }],
};

/** Copies of a value in which one string, number or boolean is an object, or one list is empty. */
function damaged(value: unknown): unknown[] {
    if (typeof value !== "object" || value === null) return [{}];
    const copies = Object.entries(value).flatMap(([key, each]) =>
        damaged(each).map((wrong) =>
            Array.isArray(value) ? value.with(Number(key), wrong) : { ...value, [key]: wrong },
        ),
    );
    return Array.isArray(value) ? [[], ...copies] : copies;
}

describe("the plan of every agent", () => {
    for (const [name, [schema, plan]] of Object.entries(plans)) {
        it(`is accepted as the stack writes it: ${name}`, () => {
            assert.deepEqual(planProblems(JSON.parse(JSON.stringify(plan)), schema), []);
        });
    }

    const window = { days: [0], start: 120, minutes: 180 };
    const almost: [agent: string, field: string, value: unknown][] = [
        ["bootstrap report", "apiservers", ["10.0.0.1"]],
        ["etcd-update", "version", "v3.6"],
        ["etcd-update", "staticPod", { metadata: {} }],
        ["etcd-join", "staticPod", { command: [] }],
        ["reboot-approver", "windows", [{ ...window, days: [7] }]],
        ["reboot-approver", "windows", [{ ...window, minutes: 0 }]],
        ["metrics-proxy", "sources", { etcd: { url: "http://10.0.0.1:2381/metrics" } }],
    ];
    for (const [name, field, value] of almost) {
        it(`is rejected if ${field} is almost right: ${name} with ${JSON.stringify(value)}`, () => {
            const [schema, plan] = plans[name]!;
            const [problem = "", ...others] = planProblems({ ...plan, [field]: value }, schema);
            assert.ok(problem.startsWith(field) && others.length === 0, [problem, ...others].join("; "));
        });
    }

    it("is rejected for each field that is wrong", async () => {
        const example = { ...(await examplePlan("/")), timeouts: { "label-node": 10 }, resumeGraceSeconds: 5 };
        assert.deepEqual(planProblems(example, bootstrap), []);
        const all = { ...plans, bootstrap: [bootstrap, example] as const };
        const rejected = Object.entries(all).map(([name, [schema, plan]]) => {
            const problems = damaged(JSON.parse(JSON.stringify(plan))).flatMap((copy) => planProblems(copy, schema));
            const lines = problems.map(
                (each) => `  ${each.replace(/ \(got .*$/s, "").replace(/(?<=kubelets\.)\d+\.\d+\.\d+/, "<version>")}\n`,
            );
            return `${name}\n${[...new Set(lines)].join("")}`;
        });
        golden(__dirname, "plan-problems", rejected.join(""));
    });
});
