import { isWithoutCni } from "../../clients/kubernetes/nodes";
import { condition, isReady, type Node } from "../../clients/kubernetes/objects";
import { poolLabel } from "../../cluster/labels";

/** A pool with new or changed machines. */
export interface WatchedPool {
    readonly name: string;
    /** Number of nodes; at first, where an autoscaler sets it. */
    readonly desired: number;
    /** Node names, if the stack names them. @default the cloud does */
    readonly nodes?: readonly string[];
}

/** What a cloud says about the machines of a pool. */
export interface Launches {
    /** Name of its group. */
    readonly group: string;
    /** Ids of the machines that it has. */
    readonly machines: readonly string[];
    /** Why it could not launch more, in its own words: the newest first. */
    readonly failures: readonly string[];
}

/** One observation. Each part may be unknown, for a reason. */
export interface Observation {
    readonly pool: WatchedPool;
    readonly nodes: readonly Node[] | { readonly unknown: string };
    /** @default the stack creates the machines, and their errors are errors of `up` */
    readonly launches?: Launches | { readonly unknown: string };
}

/** Nodes of a pool that are Ready, or only wait for a CNI: with `cni: none` the user installs one later. */
export function joinedNodes({ name, nodes }: WatchedPool, all: readonly Node[]): string[] {
    return all
        .filter(({ metadata }) => (nodes ? nodes.includes(metadata.name) : metadata.labels?.[poolLabel] === name))
        .filter(({ status }) => isReady(status) || isWithoutCni(condition(status, "Ready")?.message))
        .map(({ metadata }) => metadata.name);
}

/** Whether nothing is left to wait for: all nodes have joined. */
export function isComplete({ pool, nodes }: Observation): boolean {
    return !("unknown" in nodes) && joinedNodes(pool, nodes).length >= pool.desired;
}

/** Whether the cloud says that it cannot launch the pool's missing machines. */
export function isRefused({ pool, launches }: Observation): boolean {
    return isKnown(launches) && launches.failures.length > 0 && launches.machines.length < pool.desired;
}

const mostFailures = 2;
const mostMachines = 3;

/** Why a pool is not complete: desired, joined, and the cloud's reason. */
export function describePool({ pool, nodes, launches }: Observation): string {
    const { name, desired } = pool;
    const joined = "unknown" in nodes ? undefined : joinedNodes(pool, nodes);
    const counted =
        joined === undefined
            ? `pool ${name}: its nodes could not be counted (${(nodes as { unknown: string }).unknown})`
            : `pool ${name}: ${joined.length} of ${desired} nodes have joined`;
    if (launches === undefined) return [counted, ...missing(pool, joined)].join("; ");
    if (!isKnown(launches)) return `${counted}; its machines could not be checked (${launches.unknown})`;
    const { group, machines, failures } = launches;
    const launched = `its group ${group} has ${machines.length} of ${desired} instances`;
    if (machines.length < desired) {
        const reasons = failures.slice(0, mostFailures).join("; ") || "no launch has failed yet";
        return `${counted}; ${launched}: ${reasons}`;
    }
    const absent = machines.filter((id) => !joined?.some((node) => node === id || node.startsWith(`${id}.`)));
    const which = joined && absent.length > 0 ? `; not joined: ${some(absent)}; see their consoles` : "";
    return `${counted}; ${launched}${which}`;
}

function missing({ nodes = [] }: WatchedPool, joined: readonly string[] | undefined): string[] {
    const absent = joined ? nodes.filter((each) => !joined.includes(each)) : [];
    return absent.length > 0 ? [`not joined: ${some(absent)}; see their consoles`] : [];
}

function some(all: readonly string[]): string {
    const more = all.length - mostMachines;
    return `${all.slice(0, mostMachines).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function isKnown<T extends object>(answer: T | { readonly unknown: string } | undefined): answer is T {
    return answer !== undefined && !("unknown" in answer);
}
