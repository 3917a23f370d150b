import { spawnSync } from "node:child_process";
import { loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { bundleAgent } from "../../../bundling/agents";
import { patch } from "../../../clients/kubernetes/api-client";
import { flannel } from "../../../cluster/manifests/addons/flannel";
import { kubeProxy } from "../../../cluster/manifests/addons/kube-proxy";
import { frugal } from "../../../cluster/manifests/agent-workloads";
import { placeholderCredentials } from "../../../cluster/manifests/control-plane/placeholder";
import { nodeAgent } from "../../../cluster/manifests/nodes/node-agent";
import { nodeApprover, nodeApproverPlan } from "../../../cluster/manifests/nodes/node-approver";
import { nodeCleaner, nodeCleanerPlan } from "../../../cluster/manifests/nodes/node-cleaner";
import { rebootApprover, rebootApproverPlan } from "../../../cluster/manifests/nodes/reboot-approver";
import { servingApprover } from "../../../cluster/manifests/nodes/serving-approver";
import { nodeApproverUser, rbacManifests } from "../../../cluster/manifests/rbac";
import { resolveCluster } from "../../../cluster/resolve";
import { PROJECT_DIR } from "../../../local/pulumi";
import { applyAll, permissionsOf } from "../../../test/engine/service-account";
import { type Group, limited } from "../report";
import { ControlPlane } from "./control-plane";
import { childrenTime, growthOf, type Measured, sayTable, steps } from "./growth";
import { drainSeconds, startKwok } from "./kwok";
import { admit, NodeAgents, nodeName, pool, register, untilRolledOut } from "./nodes";

/** Seconds without changes in which requests are counted. */
const idleSeconds = 60;
const busySeconds = 20;
/** Nodes whose kubelets change at the same time. */
const shares = ["10%", "25%", "50%"];
const rolloutAt = (share: string) => `kubelet rollout at ${share}, in drain times`;

const processes = ["kube-apiserver", "etcd", "node-approver", "serving-approver", "reboot-approver", "node-cleaner"];
const agents = [
    "tradewind-node-agent",
    "tradewind-node-approver",
    "tradewind-serving-approver",
    "tradewind-reboot-approver",
    "tradewind-node-cleaner",
];

const cluster = resolveCluster({
    name: "bench",
    network: { podCidr: "10.16.0.0/12", serviceCidr: "172.20.0.0/16" },
    workerPools: [{ name: pool, maxUnavailablePercentage: 10 }],
});
const file = { urls: ["http://mirror.bench.test/file"], sha256: "0".repeat(64) };
const downloads = { kubelet: file, cniPlugins: file, registryMirror: "http://mirror.bench.test" };
const reboots = { windows: [{ days: [0, 1, 2, 3, 4, 5, 6], start: 0, minutes: 1440 }] };
const groups = { namePattern: "^i-[0-9a-f]{17}$", region: "eu-central-1" };

/**
 * One control plane, with nodes that kwok simulates. They join like real ones, with the real approver; the part of their
 * node-agents that uses the API runs too, each with the certificate of its node.
 */
export const onControlPlane: Group = async (report, { signal }) => {
    const { result, say } = report;
    const plane = await ControlPlane.start();
    const nodeAgents = new NodeAgents();
    try {
        await startAgents(plane);
        const kwok = await startKwok(plane.folder, plane.kubeconfig, say);
        const ca = plane.flagOf(plane.pids("kube-apiserver")[0]!, "client-ca-file");
        const measured = new Map<number, Measured>();
        try {
            let before = 0;
            for (const nodes of steps) {
                signal.throwIfAborted();
                const indexes = Array.from({ length: nodes - before }, (_, index) => before + index);
                const names = indexes.map(nodeName);
                say(`${indexes.length} nodes join, load ${load()}`);
                const seconds = await admit(
                    plane,
                    names,
                    Array.from({ length: nodes }, (_, index) => nodeName(index)),
                );
                await register(plane, indexes);
                await nodeAgents.add(plane, names, ca);
                await untilRolledOut(plane, nodes, signal);
                measured.set(nodes, {
                    "seconds from the first request to the last certificate": seconds,
                    "certificates per minute": (indexes.length / seconds) * 60,
                    ...(await measure(plane, nodeAgents, nodes, signal, say)),
                });
                before = nodes;
                sayTable(report, `so far, load ${load()}`, measured);
            }
        } finally {
            await kwok.stop();
        }
        for (const each of results(measured)) result(each);
    } finally {
        nodeAgents.stop();
        await plane.stop();
    }
};

async function startAgents(plane: ControlPlane): Promise<void> {
    const credentials = placeholderCredentials(cluster);
    const manifests = [
        ...rbacManifests(cluster),
        ...permissionsOf([
            ...nodeApprover(cluster, credentials, { agent: "" }),
            ...servingApprover(cluster, ""),
            ...rebootApprover(cluster, reboots, ""),
            ...nodeCleaner(cluster, groups, ""),
        ]),
        ...[
            flannel(cluster),
            kubeProxy(cluster),
            nodeAgent(cluster, { pool, downloads, maxUnavailable: "10%" }, bundleAgent("node-agent")),
        ]
            .flat()
            .filter(({ kind }) => kind === "DaemonSet" || kind === "ConfigMap"),
    ];
    await applyAll(
        plane.api,
        manifests.filter(({ metadata }) => metadata.namespace !== "kube-public"),
    );
    const machines = plane.write("machines.json", "{}");
    await plane.runAgent(
        "node-approver",
        nodeApproverPlan(cluster),
        frugal.options,
        plane.api.kubeconfigOf(nodeApproverUser, "x"),
    );
    await plane.runAgent("serving-approver", { machines }, frugal.options);
    await plane.runAgent("reboot-approver", rebootApproverPlan(reboots), frugal.options);
    await plane.runAgent("node-cleaner", nodeCleanerPlan(groups), frugal.options);
}

/** Says each number at once, because the last ones take minutes. */
async function measure(
    plane: ControlPlane,
    nodeAgents: NodeAgents,
    nodes: number,
    signal: AbortSignal,
    say: (line: string) => void,
): Promise<Measured> {
    const measured: Record<string, number> = {};
    const note = (name: string, value: number) => {
        measured[name] = value;
        say(`    ${name}: ${Number(value.toPrecision(3))}`);
    };
    // All agents have their first list.
    await sleep(20_000, undefined, { signal });
    const idle = await requestsIn(plane, () => sleep(idleSeconds * 1000, undefined, { signal }));
    const ours = agents.reduce((sum, agent) => sum + (idle.get(agent) ?? 0), 0);
    note("requests per second and node, all agents, idle", ours / idleSeconds / nodes);
    note("of these by node-agents", (idle.get("tradewind-node-agent") ?? 0) / idleSeconds / nodes);
    for (const [name, mebibytes] of Object.entries(plane.memory(processes))) note(`${name}, MiB`, mebibytes);
    const before = childrenTime();
    note("tradewind status, s", await seconds(() => tradewind(plane, "status")));
    note("of these CPU time, s", (childrenTime() - before) / 1000);
    note("tradewind graph, s", await seconds(() => tradewind(plane, "graph")));
    const atWork = Math.min(nodes, 100);
    const busy = await requestsIn(plane, () => nodeAgents.busyFor(busySeconds, atWork));
    const perAgent = (busy.get("tradewind-node-agent") ?? 0) / busySeconds / atWork;
    note("requests per second of a node-agent that changes its node", perAgent);
    for (const share of shares) {
        note(rolloutAt(share), (await rollOut(plane, nodes, share, signal)) / drainSeconds);
    }
    note("failed requests of node-agents", nodeAgents.failures);
    return measured;
}

/** As if another kubelet were desired. @returns seconds until all nodes have it */
function rollOut(plane: ControlPlane, nodes: number, share: string, signal: AbortSignal): Promise<number> {
    return seconds(async () => {
        const path = `/apis/apps/v1/namespaces/kube-system/daemonsets/node-agent-${pool}`;
        const annotations = { "bench.test/changed": new Date().toISOString() };
        const updateStrategy = { rollingUpdate: { maxUnavailable: share } };
        await patch(plane.admin, path, "strategic", {
            spec: { updateStrategy, template: { metadata: { annotations } } },
        });
        await untilRolledOut(plane, nodes, signal);
    });
}

async function requestsIn(plane: ControlPlane, work: () => Promise<unknown>): Promise<ReadonlyMap<string, number>> {
    const before = plane.requests();
    await work();
    return new Map([...plane.requests()].map(([agent, count]) => [agent, count - (before.get(agent) ?? 0)]));
}

/** Unhealthy, since nodes of a control plane are missing. */
function tradewind(plane: ControlPlane, command: string): void {
    const args = [join(PROJECT_DIR, "dev/tradewind.cjs"), command, "--kubeconfig", plane.kubeconfig];
    const { status, stderr } = spawnSync(process.execPath, args, {
        // Where `graph` writes its picture.
        cwd: plane.folder,
        encoding: "utf8",
        maxBuffer: 1 << 28,
    });
    if (status !== 0 && !(command === "status" && status === 1)) {
        throw new Error(`tradewind ${command} failed: ${stderr}`);
    }
}

async function seconds(work: () => unknown): Promise<number> {
    const start = performance.now();
    await work();
    return (performance.now() - start) / 1000;
}

function load(): string {
    return loadavg()[0]!.toFixed(1);
}

function results(measured: ReadonlyMap<number, Measured>) {
    const largest = measured.get(steps.at(-1)!)!;
    const per = (name: string) => largest[name]!;
    return [
        limited(
            "scale.idle-requests",
            "per second and node",
            per("requests per second and node, all agents, idle"),
            0.05,
        ),
        limited("scale.status", "s", per("tradewind status, s"), 2),
        limited("scale.rollout", "drain times", per(rolloutAt("10%")), 20),
        limited("scale.admission-of-1000", "s", per("seconds from the first request to the last certificate"), 480),
        limited("scale.apiserver-memory", "MiB per node", growthOf(measured, "kube-apiserver, MiB")!, 2),
    ];
}
