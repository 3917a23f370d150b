import type { Container, Node, Pod } from "../../clients/kubernetes/objects";
import { poolLabel } from "../../cluster/labels";
import { verified } from "../verify-cloud/clouds";
import { awsPriceRegion } from "../verify-cloud/clouds/aws";
import { type Amount, add, amountOf, most, nothing } from "./quantity";

/** A Node with what it offers to pods. */
export type SizedNode = Node & { readonly status?: { readonly allocatable?: Readonly<Record<string, string>> } };

/** What metrics-server says about a pod. */
export interface PodMetrics {
    readonly metadata: { readonly name: string; readonly namespace?: string };
    readonly containers: readonly { readonly usage: Readonly<Record<string, string>> }[];
}

export interface Observed {
    readonly nodes: readonly SizedNode[];
    readonly pods: readonly Pod[];
    /** @default - there is no metrics-server */
    readonly metrics?: readonly PodMetrics[];
    /** Why it does not say anything. @default - it does, or there is none */
    readonly metricsProblem?: string;
    /** US dollars a month of machine types, in addition to the known ones. */
    readonly prices: Readonly<Record<string, number>>;
}

/** A pool or a namespace. */
export interface Share {
    readonly name: string;
    /** Nodes of a pool, pods of a namespace. */
    readonly count: number;
    readonly requested: Amount;
    /** @default - unknown */
    readonly used?: Amount;
    /** Of a pool: what pods may request. */
    readonly allocatable?: Amount;
    /** US dollars a month. Of a namespace: its part of its nodes' prices. @default - unknown */
    readonly price?: number;
}

export interface Account {
    readonly pools: readonly Share[];
    readonly namespaces: readonly Share[];
    /** The part of the price that no pod requests. @default - unknown */
    readonly free?: number;
    /** Machine types without a price. */
    readonly unpriced: readonly string[];
    /** Machine types with a known price, but of another region than these machines have. */
    readonly elsewhere: readonly { readonly type: string; readonly region: string }[];
    /** Running pods, and those of them that metrics-server does not know. @default - there is no metrics-server */
    readonly metrics?: { readonly pods: number; readonly missing: number };
    /** Why metrics-server does not say anything. @default - it does, or there is none */
    readonly metricsProblem?: string;
}

/**
 * Adds up what pods request and use, by pool and by namespace. A pod's part of its node's price is its part of what the
 * node offers: the average of CPU and memory.
 */
export function account({ nodes, pods, metrics, metricsProblem, prices }: Observed): Account {
    const priced = [...Object.values(verified).map(({ prices: { machines } }) => machines), prices];
    // A label may have any text, such as "constructor".
    const known = new Map(priced.flatMap((each) => Object.entries<number>(each)));
    const placed = pods.filter(({ spec, status }) => spec.nodeName && !isOver(status?.phase));
    const usage = new Map(
        metrics?.map((each) => [keyOf(each.metadata), add(...each.containers.map((one) => amountOf(one.usage)))]),
    );
    const byName = new Map(nodes.map((node) => [node.metadata.name, node]));
    const priceOf = (node: SizedNode | undefined) => node && known.get(typeOf(node));
    const isPriced = nodes.length > 0 && nodes.every((node) => priceOf(node) !== undefined);
    const sumOf = (some: readonly Pod[]) => {
        const known = some.flatMap(({ metadata }) => usage.get(keyOf(metadata)) ?? []);
        // Where nothing is known, 0 would be wrong.
        const isKnown = metrics !== undefined && (known.length > 0 || !some.some(isRunning));
        return { requested: add(...some.map(requestOf)), ...(isKnown && { used: add(...known) }) };
    };
    const partOf = (pod: Pod) => {
        const node = byName.get(pod.spec.nodeName!);
        const [has, asks] = [amountOf(node?.status?.allocatable), requestOf(pod)];
        const part = (((has.cpu && asks.cpu / has.cpu) || 0) + ((has.memory && asks.memory / has.memory) || 0)) / 2;
        return part * (priceOf(node) ?? 0);
    };
    const total = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0);
    const pools = groups(nodes, poolOf).map(([name, own]): Share => {
        const names = own.map(({ metadata }) => metadata.name);
        return {
            name,
            count: own.length,
            ...sumOf(placed.filter(({ spec }) => names.includes(spec.nodeName!))),
            allocatable: add(...own.map(({ status }) => amountOf(status?.allocatable))),
            ...(own.every((node) => priceOf(node) !== undefined) && {
                price: total(own.map((node) => priceOf(node)!)),
            }),
        };
    });
    const namespaces = groups(placed, ({ metadata }) => metadata.namespace ?? "default").map(
        ([name, own]): Share => ({
            name,
            count: own.length,
            ...sumOf(own),
            ...(isPriced && { price: total(own.map(partOf)) }),
        }),
    );
    const all = total(pools.map(({ price = 0 }) => price));
    return {
        pools,
        namespaces: [...namespaces].sort((one, other) => other.requested.cpu - one.requested.cpu),
        ...(isPriced && { free: all - total(namespaces.map(({ price = 0 }) => price)) }),
        unpriced: [
            ...new Set(
                nodes
                    .filter((node) => priceOf(node) === undefined)
                    .map(typeOf)
                    .filter(Boolean),
            ),
        ].sort(),
        elsewhere: elsewhere(nodes, prices),
        ...(metricsProblem !== undefined && { metricsProblem }),
        ...(metrics && {
            metrics: {
                pods: placed.filter(isRunning).length,
                missing: placed.filter((pod) => isRunning(pod) && !usage.has(keyOf(pod.metadata))).length,
            },
        }),
    };
}

function elsewhere(nodes: readonly SizedNode[], prices: Observed["prices"]): Account["elsewhere"] {
    const found = nodes.flatMap((node) => {
        const [type, region] = [typeOf(node), node.metadata.labels?.["topology.kubernetes.io/region"]];
        const isOther =
            Object.hasOwn(verified.aws.prices.machines, type) &&
            !Object.hasOwn(prices, type) &&
            region &&
            region !== awsPriceRegion;
        return isOther ? [{ type, region }] : [];
    });
    return [...new Map(found.map((each) => [`${each.type} ${each.region}`, each])).values()];
}

/** What the scheduler reserves: containers and sidecars together, or an init container with the sidecars before it. */
export function requestOf({ spec }: Pod): Amount {
    const of = ({ resources }: Container) => amountOf(resources?.requests);
    let sidecars = nothing;
    let starting = nothing;
    for (const container of spec.initContainers ?? []) {
        if (container.restartPolicy === "Always") sidecars = add(sidecars, of(container));
        starting = most(starting, container.restartPolicy === "Always" ? sidecars : add(sidecars, of(container)));
    }
    const running = add(sidecars, ...spec.containers.map(of));
    const { requests: whole = {} } = (spec.resources ?? {}) as { requests?: Record<string, unknown> };
    // What the whole pod requests counts in place of its containers.
    const asked = { ...most(starting, running), ...wholeOf(whole) };
    return add(asked, amountOf(spec.overhead as Record<string, unknown> | undefined));
}

function wholeOf(requests: Readonly<Record<string, unknown>>): Partial<Amount> {
    const { cpu, memory } = amountOf(requests);
    return { ...("cpu" in requests && { cpu }), ...("memory" in requests && { memory }) };
}

function isRunning({ status }: Pod): boolean {
    return status?.phase === "Running";
}

function isOver(phase: string | undefined): boolean {
    return phase === "Succeeded" || phase === "Failed";
}

function typeOf({ metadata }: Node): string {
    return metadata.labels?.["node.kubernetes.io/instance-type"] ?? "";
}

function poolOf({ metadata }: Node): string {
    return metadata.labels?.[poolLabel] ?? "other";
}

function keyOf({ namespace, name }: { readonly namespace?: string; readonly name: string }): string {
    return `${namespace}/${name}`;
}

function groups<T>(all: readonly T[], of: (each: T) => string): [string, T[]][] {
    const found = new Map<string, T[]>();
    for (const each of all) found.set(of(each), [...(found.get(of(each)) ?? []), each]);
    return [...found].sort(([one], [other]) => (one < other ? -1 : 1));
}
