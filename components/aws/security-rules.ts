import { ports } from "../cluster/ports";

/** The security groups: every node is in `nodes`, controllers in `controllers` beside. */
export type Group = "load-balancer" | "nodes" | "controllers";

/** What a group lets in or out. */
export interface Rule {
    readonly protocol: "tcp" | "udp" | "icmp" | "all";
    /** First and last port; none with `icmp` and `all`, which have all of theirs. */
    readonly ports?: readonly [first: number, last: number];
    readonly peer: Group | "everybody" | "api-clients";
}

/** What each group lets in, by names that stay. */
export const ingress: Readonly<Record<Group, Readonly<Record<string, Rule>>>> = {
    "load-balancer": { api: { ...tcp(ports.kubeApiserver), peer: "api-clients" } },
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
};

/** What each group lets out. */
export const egress: Readonly<Record<Group, Readonly<Record<string, Rule>>>> = {
    "load-balancer": { api: { ...tcp(ports.kubeApiserver), peer: "controllers" } },
    nodes: { everything: { protocol: "all", peer: "everybody" } },
    controllers: {},
};

function tcp(first: number, last = first): Pick<Rule, "protocol" | "ports"> {
    return { protocol: "tcp", ports: [first, last] };
}
