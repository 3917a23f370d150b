import { type Ingress, ingressPorts, workerPorts } from "../cluster/ingress";
import { ports } from "../cluster/ports";

/** The security groups: every node is in `nodes`, and beside it in `controllers` or `workers`. */
export type Group = "load-balancer" | "nodes" | "controllers" | "workers";

/** What a group lets in or out. */
export interface Rule {
    readonly protocol: "tcp" | "udp" | "icmp" | "all";
    /** First and last port; none with `icmp` and `all`, which have all of theirs. */
    readonly ports?: readonly [first: number, last: number];
    readonly peer: Group | "everybody" | "api-clients" | "ingress-clients";
}

/** The rules of each group, by names that stay. */
export type Rules = Readonly<Record<Group, Readonly<Record<string, Rule>>>>;

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

/** What each group lets in. */
export function inbound(ingress?: Ingress): Rules {
    if (!ingress) {
        return { "load-balancer": { api }, ...letIn, workers: {} };
    }
    const fromClients = (port: number) => ({ ...tcp(port), peer: "ingress-clients" }) satisfies Rule;
    return {
        "load-balancer": { api, http: fromClients(ingressPorts.http), https: fromClients(ingressPorts.https) },
        ...letIn,
        workers: toPorts(ingress, "load-balancer"),
    };
}

/** What each group lets out. */
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
