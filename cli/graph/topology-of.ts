import { arbiterPool } from "../../agents/nodes/removal/plan";
import { type ClusterFacts, type Fact, ifKnown, type Serving } from "../status/facts";
import type { Verdict } from "../status/judge";
import { etcdSummary, partsOn } from "./control-plane";
import type { StackFacts, StackMachine } from "./stack-facts";
import type { ControllerView, NodeView, PartView, PoolView, Stated, Topology } from "./topology";

/** Maximum number of findings shown; more are counted. */
const mostFindings = 6;

/** Builds a topology from whatever is known. @param stack - undefined if only the cluster's kubeconfig is known */
export function topologyOf(facts: ClusterFacts, verdict: Verdict, stack?: Fact<StackFacts>): Topology {
    const own = ifKnown(stack);
    return {
        cluster: own?.cluster ?? facts.cluster,
        at: facts.at,
        ...(own && { cloud: own.cloud }),
        versions: versionsOf(facts, own),
        verdict: verdictOf(verdict),
        network: {
            ...(own?.network && { block: own.network }),
            blocks: own ? [`pods ${own.podCidrs}`, `services ${own.serviceCidrs}`] : [],
            subnets: (own?.subnets ?? []).map(({ zone, cidr }) => `${zone} ${cidr}`).sort(),
        },
        api: { title: titleOf(own), address: addressOf(facts, own), ...stated(facts.api.serving) },
        controllers: controllerNames(facts, own).map((name) => controllerOf(name, facts, own)),
        etcd: etcdSummary(facts.etcd),
        pools: poolsOf(facts, own),
        findings: [...findingsOf(verdict), ...(stack && "unknown" in stack ? [stackUnknown(stack.unknown)] : [])],
    };
}

function verdictOf({ isHealthy, findings }: Verdict): Stated {
    const critical = findings.filter(({ severity }) => severity === "critical").length;
    const warnings = findings.length - critical;
    const counts = [counted(critical, "problem"), counted(warnings, "warning")].filter(Boolean).join(", ");
    return isHealthy
        ? { meaning: warnings > 0 ? "warning" : "good", words: counts ? `healthy, ${counts}` : "healthy" }
        : { meaning: "bad", words: counts };
}

function counted(count: number, what: string): string {
    return count === 0 ? "" : `${count} ${what}${count === 1 ? "" : "s"}`;
}

function findingsOf({ findings }: Verdict): Stated[] {
    const shown = findings.slice(0, mostFindings).map(
        ({ severity, message }): Stated => ({
            meaning: severity === "critical" ? "bad" : "warning",
            words: message,
        }),
    );
    const more = findings.length - shown.length;
    return more > 0
        ? [...shown, { meaning: "warning", words: `And ${more} more; run tradewind status to see them all.` }]
        : shown;
}

function stackUnknown(why: string): Stated {
    return { meaning: "warning", words: `The stack's contents are unknown: ${why}` };
}

function versionsOf({ nodes, controllers, etcd }: ClusterFacts, own: StackFacts | undefined): string[] {
    const kubernetes = [
        ...(ifKnown(nodes) ?? []).map(({ kubelet }) => kubelet),
        ...controllers.flatMap(({ version }) => ifKnown(version) ?? []),
    ];
    const members = (ifKnown(etcd)?.members ?? []).flatMap(({ status }) => ifKnown(status)?.version ?? []);
    const named = (what: string, running: readonly string[], desired: string | undefined) => {
        const all = [...new Set(running)].sort(byNumber);
        return all.length > 0
            ? [`${what} ${all.join(" and ")}`]
            : desired
              ? [`${what} ${desired} (according to the stack)`]
              : [];
    };
    return [...named("Kubernetes", kubernetes, own?.kubernetes), ...named("etcd", members, own?.etcd)];
}

function titleOf(own: StackFacts | undefined): string {
    return own?.apiLoadBalancer === false ? "API by DNS name" : "API load balancer";
}

function addressOf({ api }: ClusterFacts, own: StackFacts | undefined): string {
    return api.url === "unknown" ? (own?.apiAddress ?? "not created yet") : api.url;
}

function controllerOf(name: string, facts: ClusterFacts, own: StackFacts | undefined): ControllerView {
    const parts = partsOn(name, facts);
    const node = nodeOf(name, facts, own);
    const probe = facts.controllers.find((each) => each.name === name || node.where.includes(each.address));
    const isServing = parts.some(({ component, meaning }) => component === "kube-apiserver" && meaning === "good");
    const apiserver: Stated =
        probe && "value" in probe.apiserver
            ? stated(probe.apiserver)
            : isServing && "value" in facts.nodes
              ? { meaning: "good", words: "ready" }
              : { meaning: "unknown", words: "unknown" };
    return { ...node, apiserver, parts: parts.map((part) => withProbe(part, apiserver)) };
}

/** The apiserver runs according to its machine, but does not serve. */
function withProbe(part: PartView, apiserver: Stated): PartView {
    return part.component === "kube-apiserver" && part.meaning === "good" && apiserver.meaning === "bad"
        ? { ...part, meaning: "warning" }
        : part;
}

/** Grouped by node labels, otherwise by the stack, otherwise all in one pool. */
function poolsOf(facts: ClusterFacts, own: StackFacts | undefined): PoolView[] {
    const controllers = new Set(controllerNames(facts, own));
    const poolOf = new Map<string, string>();
    for (const { name, nodes } of own?.pools ?? []) {
        for (const node of nodes) poolOf.set(node, name);
    }
    for (const { name } of ifKnown(facts.machines) ?? []) {
        if (!controllers.has(name) && !poolOf.has(name)) poolOf.set(name, "workers");
    }
    for (const { name, pool, isController } of ifKnown(facts.nodes) ?? []) {
        if (!isController && !controllers.has(name)) poolOf.set(name, pool ?? poolOf.get(name) ?? "workers");
    }
    const names = new Set([...(own?.pools ?? []).map(({ name }) => name), ...poolOf.values()]);
    return [...names].map((pool) => {
        const nodes = [...poolOf].filter(([, each]) => each === pool).map(([node]) => node);
        const { count } = own?.pools.find(({ name }) => name === pool) ?? {};
        const group = count && `Auto Scaling group of ${count.min === count.max ? "" : `${count.min} to `}${count.max}`;
        const known = counted(nodes.length, "node") || (group ? "nodes only known to the API" : "no nodes");
        return {
            name: pool,
            size: [known, group].filter(Boolean).join(", "),
            nodes: nodes.sort(byNumber).map((node) => nodeOf(node, facts, own)),
        };
    });
}

/** Names of all known controllers. */
function controllerNames({ nodes, controllers, etcd }: ClusterFacts, own: StackFacts | undefined): string[] {
    const byAddress = new Map(Object.entries(own?.machines ?? {}).map(([name, { address }]) => [address, name]));
    const arbiters = own?.pools.find(({ name }) => name === arbiterPool)?.nodes ?? [];
    const names = new Set([
        ...(own?.controllers ?? []),
        ...(ifKnown(nodes) ?? []).filter(({ isController }) => isController).map(({ name }) => name),
        // A controller given by address is only known by that address.
        ...controllers.map(({ name, address }) => byAddress.get(address) ?? name),
        ...(ifKnown(etcd)?.members ?? []).map(({ name }) => name).filter((name) => !arbiters.includes(name)),
    ]);
    return [...names].filter(Boolean).sort(byNumber);
}

/** A node with facts about it and its machine. */
function nodeOf(name: string, facts: ClusterFacts, own: StackFacts | undefined): NodeView {
    const node = ifKnown(facts.nodes)?.find((each) => each.name === name);
    const machine = ifKnown(facts.machines)?.find((each) => each.name === name);
    const declared: StackMachine = own?.machines[name] ?? {};
    const probe = facts.controllers.find((each) => each.name === name || each.address === declared.address);
    const address = node?.address ?? declared.address ?? machine?.address ?? probe?.address;
    return {
        name,
        where: [address, declared.size, declared.zone, node?.isJoined ? "by token" : undefined].filter(
            (each) => each !== undefined,
        ),
        ...(node && { version: node.kubelet }),
        ...stateOf(name, facts),
    };
}

/** State according to the API, otherwise as far as the machine and its kubelet answer. */
function stateOf(name: string, { nodes, machines, controllers }: ClusterFacts): Stated {
    const machine = ifKnown(machines)?.find((each) => each.name === name);
    const isOff = machine !== undefined && !["running", "unreached"].includes(machine.state);
    if ("value" in nodes) {
        const node = nodes.value.find((each) => each.name === name);
        if (node === undefined) return { meaning: "bad", words: isOff ? `machine ${machine.state}` : "no node" };
        if (!node.isReady)
            return { meaning: "bad", words: isOff ? `not Ready, machine ${machine.state}` : "not Ready" };
        return node.isCordoned ? { meaning: "warning", words: "Ready, cordoned" } : { meaning: "good", words: "Ready" };
    }
    if (isOff) return { meaning: "bad", words: `machine ${machine.state}` };
    const kubelet = controllers.find((each) => each.name === name)?.kubelet;
    const inside = ifKnown(machine?.inside)?.kubelet;
    if (kubelet && "value" in kubelet && !kubelet.value.isReady) {
        return { meaning: "bad", words: `kubelet: ${kubelet.value.detail}` };
    }
    return { meaning: "unknown", words: ifKnown(kubelet) || inside === "ok" ? "kubelet answers" : "unknown" };
}

/** The state of a server, or why it is unknown. */
function stated(fact: Fact<Serving>): Stated {
    return "unknown" in fact
        ? { meaning: "unknown", words: `unknown: ${fact.unknown}` }
        : { meaning: fact.value.isReady ? "good" : "bad", words: fact.value.detail };
}

const byNumber = new Intl.Collator("en", { numeric: true }).compare;
