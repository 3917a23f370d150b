import { type Ingress, ingressPorts, workerPorts } from "../cluster/ingress";
import { ports } from "../cluster/ports";

/** The security groups: every node is in `nodes`, and beside it in `controllers` or `workers`. Not every cluster has `endpoints`. */
export type Group = "load-balancer" | "nodes" | "controllers" | "workers" | "endpoints";

/** What a group lets in or out. */
export interface Rule {
    readonly protocol: "tcp" | "udp" | "icmp" | "icmpv6" | "all";
    /** First and last port; none with `icmp`, `icmpv6` and `all`, which have all of theirs. */
    readonly ports?: readonly [first: number, last: number];
    readonly peer: Group | "everybody" | "api-clients" | "ingress-clients";
}

/** The rules of each group, by names that stay. */
export type Rules = Readonly<Record<Exclude<Group, "endpoints">, GroupRules>> & { readonly endpoints?: GroupRules };
type GroupRules = Readonly<Record<string, Rule>>;

const api = { ...tcp(ports.kubeApiserver), peer: "api-clients" } satisfies Rule;

const letIn = {
    nodes: {
        pods: { protocol: "udp", ports: [ports.flannelVxlan, ports.flannelVxlan], peer: "nodes" },
        kubelet: { ...tcp(ports.kubelet), peer: "nodes" },
        // Path MTU discovery, and people's pings.
        icmp: { protocol: "icmp", peer: "nodes" },
    },
    controllers: {
        "api-of-load-balancer": { ...tcp(ports.kubeApiserver), peer: "load-balancer" },
        // By the service's address, pods reach controllers themselves.
        "api-of-nodes": { ...tcp(ports.kubeApiserver), peer: "nodes" },
        etcd: { ...tcp(ports.etcdClient, ports.etcdPeer), peer: "controllers" },
    },
} satisfies Partial<Rules>;

/** What a cluster has beside, each `false` by default. */
export interface Extras {
    /** Services have endpoints with addresses. */
    readonly hasEndpoints?: boolean;
    readonly hasIpv6?: boolean;
}

/** What each group lets in. */
export function inbound(ingress?: Ingress, { hasEndpoints = false, hasIpv6 = false }: Extras = {}): Rules {
    // As that of IPv4, and what finds neighbours.
    const nodes = { ...letIn.nodes, ...(hasIpv6 && { icmpv6: { protocol: "icmpv6", peer: "nodes" } satisfies Rule }) };
    // Each service answers there by HTTPS.
    const endpoints = hasEndpoints && { endpoints: { https: { ...tcp(443), peer: "nodes" } satisfies Rule } };
    if (!ingress) {
        return { "load-balancer": { api }, ...letIn, nodes, workers: {}, ...endpoints };
    }
    const fromClients = (port: number) => ({ ...tcp(port), peer: "ingress-clients" }) satisfies Rule;
    return {
        "load-balancer": { api, http: fromClients(ingressPorts.http), https: fromClients(ingressPorts.https) },
        ...letIn,
        nodes,
        workers: toPorts(ingress, "load-balancer"),
        ...endpoints,
    };
}

/** What each group lets out: endpoints nothing, who answer. */
export function outbound(ingress?: Ingress): Rules {
    const toControllers = { ...tcp(ports.kubeApiserver), peer: "controllers" } satisfies Rule;
    return {
        "load-balancer": { api: toControllers, ...(ingress && toPorts(ingress, "workers")) },
        nodes: { everything: { protocol: "all", peer: "everybody" } },
        controllers: {},
        workers: {},
    };
}

/** What a load balancer and workers let through between them. */
function toPorts(ingress: Ingress, peer: Group): Record<string, Rule> {
    return Object.fromEntries(workerPorts(ingress).map((port) => [`ingress-${port}`, { ...tcp(port), peer }]));
}

function tcp(first: number, last = first): Pick<Rule, "protocol" | "ports"> {
    return { protocol: "tcp", ports: [first, last] };
}
