import { ports } from "../../../cluster/network/ports";
import {
    type CertificateFacts,
    type CheckpointFacts,
    type ClusterFacts,
    CONTROL_PLANE,
    ETCD,
    type EtcdFacts,
    type EtcdMemberFacts,
    type Fact,
    ifKnown,
    type NodeFacts,
    type PodFacts,
    type PodOrigin,
    type Serving,
    type SnapshotFacts,
} from "../facts";
import { type Cell, cell, type Paint, type Row, shortTime, table } from "./table";

const ORIGINS: Readonly<Record<PodOrigin, string>> = { api: "API", static: "static pod", checkpoint: "checkpoint" };

/** The API's own address, then each controller's apiserver, probed separately. */
export function apiTable({ api, controllers }: ClusterFacts, paint: Paint): string[] {
    const rows = controllers.map(({ name, address, apiserver, version }) => [
        name,
        `https://${address}:${ports.kubeApiserver}`,
        serving(apiserver),
        ifKnown(version) ?? "",
    ]);
    return table(
        ["API", "ADDRESS", "ANSWER", "VERSION"],
        [["all clients", api.url, serving(api.serving), ""], ...rows],
        paint,
    );
}

/** The nodes according to the API, otherwise the machines and controllers that were reached. */
export function nodeTable(facts: ClusterFacts, paint: Paint): string[] {
    const machines = new Map((ifKnown(facts.machines) ?? []).map((machine) => [machine.name, machine]));
    const heading = ["NODE", "ROLE", "STATUS", "KUBELET", "ADDRESS", ...(facts.isLocal ? ["MACHINE"] : [])];
    const machine = (name: string) => {
        const state = machines.get(name)?.state ?? "unknown";
        return facts.isLocal
            ? [cell(state, state === "running" ? "plain" : state === "unknown" ? "faint" : "bad")]
            : [];
    };
    if ("value" in facts.nodes) {
        const listed = listedNodes(facts.nodes.value);
        const rows = listed.map(({ name, address, isReady, isCordoned, kubelet, ...node }) => [
            name,
            roleOf(node),
            isReady
                ? isCordoned
                    ? cell("Ready, cordoned", "warning")
                    : cell("Ready", "good")
                : cell("not Ready", "bad"),
            kubelet,
            address ?? "",
            ...machine(name),
        ]);
        return [...table(heading, rows, paint), ...poolLines(facts, facts.nodes.value, listed, paint)];
    }
    const controllers = new Set(facts.controllers.map(({ name }) => name));
    const others = [...machines.values()].filter(({ name }) => !controllers.has(name));
    const rows = [
        ...facts.controllers.map(({ name, address, kubelet }) => [
            name,
            "controller",
            cell("unknown", "faint"),
            serving(kubelet),
            address,
            ...machine(name),
        ]),
        ...others.map(({ name, address, inside }) => [
            name,
            "worker",
            cell("unknown", "faint"),
            ifKnown(inside)?.kubelet === "ok"
                ? cell("answers", "good")
                : cell(ifKnown(inside)?.kubelet ?? "unknown", "faint"),
            address,
            ...machine(name),
        ]),
    ];
    return rows.length === 0 ? [] : table(heading, rows, paint);
}

/** Up to this number, all nodes are listed. */
const mostNodes = 30;
/** Of more, only so many that have problems. */
const mostProblems = 10;

/** All nodes or, if there are many, controllers and nodes with problems. */
function listedNodes(nodes: readonly NodeFacts[]): readonly NodeFacts[] {
    if (nodes.length <= mostNodes) return nodes;
    const problems = nodes.filter(({ isController, isReady, isCordoned }) => !isController && (!isReady || isCordoned));
    problems.sort((one, other) => Number(one.isReady) - Number(other.isReady));
    return [...nodes.filter(({ isController }) => isController), ...problems.slice(0, mostProblems)];
}

/** Each pool in one line, if a cloud names its nodes, or not all nodes are listed: actual and desired nodes. */
function poolLines(
    { poolSizes = {} }: ClusterFacts,
    nodes: readonly NodeFacts[],
    listed: readonly NodeFacts[],
    paint: Paint,
): string[] {
    const unlisted = nodes.length - listed.length;
    if (unlisted === 0 && Object.keys(poolSizes).length === 0) return [];
    const pools = new Map<string, NodeFacts[]>(Object.keys(poolSizes).map((pool) => [pool, []]));
    for (const node of nodes.filter(({ isController }) => !isController)) {
        const pool = node.pool ?? "none";
        pools.set(pool, [...(pools.get(pool) ?? []), node]);
    }
    const rows = [...pools].map(([pool, own]) => {
        const ready = own.filter(({ isReady }) => isReady).length;
        const cordoned = own.filter(({ isCordoned }) => isCordoned).length;
        return [
            pool,
            own.length < (poolSizes[pool] ?? 0) ? `${own.length} of ${poolSizes[pool]}` : String(own.length),
            cell(String(ready), ready === own.length ? "good" : "bad"),
            cell(String(cordoned), cordoned === 0 ? "plain" : "warning"),
            versionsOf(own),
        ];
    });
    const note = unlisted > 0 ? [paint(`${unlisted} nodes are not listed; -o json has all`, "faint")] : [];
    return ["", ...table(["POOL", "NODES", "READY", "CORDONED", "KUBELET"], rows, paint), ...note];
}

/** `1.36.3 (990), 1.35.4 (10)`, the most frequent first. */
function versionsOf(nodes: readonly NodeFacts[]): string {
    const counts = new Map<string, number>();
    for (const { kubelet } of nodes) counts.set(kubelet, (counts.get(kubelet) ?? 0) + 1);
    const all = [...counts].sort(([, one], [, other]) => other - one);
    return all.map(([version, count]) => (all.length === 1 ? version : `${version} (${count})`)).join(", ");
}

/** Each control plane component on each node, and where it runs from. */
export function controlPlaneTable({ pods, leaders, checkpoints }: ClusterFacts, paint: Paint): string[] {
    const saved = ifKnown(checkpoints) ?? [];
    const heading = [
        "CONTROL PLANE",
        "NODE",
        "RUNS FROM",
        "STATE",
        "VERSION",
        ...(saved.length > 0 ? ["CHECKPOINT"] : []),
    ];
    if ("unknown" in pods) {
        return table(heading, [["unknown", "", "", pods.unknown].map((text) => cell(text, "faint"))], paint);
    }
    // If two run on one node, the lease does not say which one leads.
    const leads = ({ component, node }: PodFacts) =>
        (ifKnown(leaders)?.some((leader) => leader.component === component && leader.node === node) ?? false) &&
        pods.value.filter((pod) => pod.component === component && pod.node === node).length === 1;
    // An API pod runs the member if it is ready: the machine's own then waits, and its probes reach the API pod's member.
    const waits = ({ component, node, origin }: PodFacts) =>
        component === ETCD &&
        origin === "static" &&
        pods.value.some((pod) => pod.component === ETCD && pod.node === node && isOfApi(pod));
    const rows = [...CONTROL_PLANE, ETCD].flatMap((component) =>
        pods.value
            .filter((pod) => pod.component === component)
            .sort((a, b) => (a.node ?? "").localeCompare(b.node ?? "", "en", { numeric: true }))
            .map((pod) => [
                component,
                pod.node ?? "none yet",
                pod.origin === "checkpoint" ? cell(ORIGINS.checkpoint, "warning") : ORIGINS[pod.origin],
                waits(pod) ? cell("waits", "faint") : podState(pod, leads(pod)),
                pod.version ?? "",
                ...(saved.length > 0 ? [checkpointCell(saved, pod)] : []),
            ]),
    );
    return table(heading, rows.length > 0 ? rows : [[cell("nothing runs", "bad")]], paint);
}

function roleOf({
    isController,
    isArbiter,
    isJoined,
}: Pick<NodeFacts, "isController" | "isArbiter" | "isJoined">): string {
    if (isController) return "controller";
    if (isArbiter) return "arbiter";
    return isJoined ? "worker, by token" : "worker";
}

function isOfApi({ origin, state, isEnding }: PodFacts): boolean {
    return origin === "api" && state === "ready" && !isEnding;
}

function checkpointCell(checkpoints: readonly CheckpointFacts[], { component, node, origin }: PodFacts): Cell {
    const own = checkpoints.find((checkpoint) => checkpoint.component === component && checkpoint.node === node);
    const since = own?.savedAt ? shortTime(own.savedAt) : origin === "static" ? "" : "none";
    return cell(since, own?.refused ? "warning" : "plain");
}

function podState({ state, isEnding, restarts = 0 }: PodFacts, isLeader: boolean): Cell {
    const word = isEnding ? "terminating" : state === "not-ready" ? "not ready" : state;
    const tone = isEnding ? "faint" : state === "not-ready" ? "bad" : state === "ready" ? "good" : "plain";
    const leader = isLeader && !isEnding && state === "ready" ? ", leads" : "";
    return cell(`${word}${leader}${restarts > 0 ? `, ${restarts} restarts` : ""}`, tone);
}

function serving(fact: Fact<Serving>): Cell {
    return "unknown" in fact
        ? cell(`unknown: ${fact.unknown}`, "faint")
        : cell(fact.value.detail, fact.value.isReady ? "good" : "bad");
}

/** Beyond this, nodes are only counted. */
const most = 2;

/** Expiry of each certificate; one line for all with the same name and day. */
export function certificateTable({ certificates, at, unprobedWorkers }: ClusterFacts, paint: Paint): string[] {
    const groups = new Map<string, CertificateFacts[]>();
    for (const certificate of certificates) {
        const { name, notAfter } = certificate;
        const key = `${name} ${"value" in notAfter ? notAfter.value.slice(0, 10) : notAfter.unknown}`;
        groups.set(key, [...(groups.get(key) ?? []), certificate]);
    }
    const rows = [...groups.values()].map((group) => [group[0]!.name, where(group), ...ends(group[0]!, at)]);
    if (rows.length === 0) return [];
    return [
        ...table(["CERTIFICATE", "WHERE", "EXPIRES", "IN"], rows, paint),
        ...(unprobedWorkers ? [paint(`not read from the kubelets of ${unprobedWorkers} more workers`, "faint")] : []),
    ];
}

function where(group: readonly CertificateFacts[]): string {
    // The load balancer's address may present any controller's certificate.
    const nodes = [
        ...new Set(group.flatMap(({ name, node }) => node ?? (name === "kube-apiserver" ? "all clients" : []))),
    ];
    return nodes.length > most
        ? `${nodes.slice(0, most).join(", ")} and ${nodes.length - most} more`
        : nodes.join(", ");
}

function ends({ notAfter }: CertificateFacts, at: string): Cell[] {
    const end = ifKnown(notAfter);
    if (end === undefined) {
        return [cell("unknown", "faint"), cell("unknown" in notAfter ? notAfter.unknown : "", "faint")];
    }
    const left = (Date.parse(end) - Date.parse(at)) / 86_400_000;
    const tone = left < 7 ? "bad" : left < 30 ? "warning" : "plain";
    return [cell(end.slice(0, 10), tone), cell(left < 0 ? "expired" : `${Math.floor(left)} days`, tone)];
}

export function etcdTable({ etcd, snapshot }: ClusterFacts, paint: Paint): string[] {
    const heading = ["ETCD", "ROLE", "STATE", "VERSION", "DATABASE", "ALARMS"];
    const rows =
        "unknown" in etcd
            ? [[cell("unknown", "faint"), "", cell(etcd.unknown, "faint"), "", "", ""]]
            : etcd.value.members.map((member) => memberRow(member, etcd.value));
    const last = "unknown" in snapshot ? "unknown" : snapshotText(snapshot.value?.last, snapshot.value?.copy);
    return [...table(heading, rows, paint), `${paint("last snapshot:", "faint")} ${last}`];
}

function memberRow({ name, id, isLearner, status, isReady }: EtcdMemberFacts, { alarms }: EtcdFacts): Row {
    const raised = alarms.filter(({ member }) => member === id).map(({ type }) => type);
    const alarm = raised.length > 0 ? cell(raised.join(", "), "bad") : "none";
    if ("unknown" in status) {
        const state = isReady
            ? cell(`slow: ${status.unknown}`, "warning")
            : cell(`no answer: ${status.unknown}`, "bad");
        return [name, isLearner ? "learner" : "voter", state, "", "", alarm];
    }
    const { version, leader, dbSize, dbQuota, errors } = status.value;
    const role = isLearner ? cell("learner", "warning") : leader === id ? "voter, leader" : "voter";
    const isWell = errors.length === 0 && leader !== undefined;
    const state = isWell ? cell("healthy", "good") : cell(errors[0] ?? "knows no leader", "bad");
    return [name, role, state, version, `${mebibytes(dbSize)}${dbQuota ? ` of ${mebibytes(dbQuota)}` : ""} MiB`, alarm];
}

function snapshotText(last: SnapshotFacts["last"], copy: string | undefined): string {
    if (last === undefined) {
        return "none";
    }
    const where = copy ?? (last.node && `on ${last.node}`);
    return `${shortTime(last.at)}, ${last.name}${where ? `, ${where}` : ""}`;
}

function mebibytes(bytes: number): string {
    return (bytes / 2 ** 20).toFixed(bytes < 100 * 2 ** 20 ? 1 : 0);
}
