import assert from "node:assert/strict";
import type { Instance, Resources, SecurityRule } from "../../../../../simulator/clouds/aws/account";
import { filterOf } from "../../../../../simulator/clouds/aws/rules";
import { rulesetOf } from "../../../../../simulator/clouds/shared/packet-filter";

const instance = (machine: string, address: string, ...groups: string[]): Instance => ({
    name: machine,
    machine,
    vpc: "v",
    subnet: "s",
    address,
    groups,
});
const rule = (group: string, more: Partial<SecurityRule>): SecurityRule => ({
    name: "",
    group,
    isIngress: true,
    protocol: "tcp",
    ...more,
});
const api = { fromPort: 6443, toPort: 6443 };
const instances = {
    1: instance("c-controller-0", "10.0.0.4", "nodes", "controllers"),
    2: instance("i-2", "10.0.0.20", "nodes"),
};
const resources = {
    vpcs: { v: { name: "c", cidr: "10.0.0.0/24" } },
    instances,
    loadBalancers: {
        lb: { name: "c-api", vpc: "v", address: "10.0.0.3", dnsName: "", subnets: [], groups: ["load-balancer"] },
    },
    classicLoadBalancers: {},
    securityRules: {
        a: rule("nodes", { protocol: "icmp", fromPort: -1, toPort: -1, peer: "nodes" }),
        b: rule("controllers", { ...api, peer: "load-balancer" }),
        c: rule("controllers", { fromPort: 2379, toPort: 2380, peer: "controllers" }),
        d: rule("nodes", { isIngress: false, protocol: "-1", cidr: "0.0.0.0/0" }),
        e: rule("load-balancer", { ...api, cidr: "0.0.0.0/0" }),
    },
} as unknown as Resources;

describe("the packet filter of a simulated instance", () => {
    it("allows what its groups allow, from members of the referenced groups", () => {
        assert.deepEqual(filterOf(resources, instances[1]), {
            network: "c",
            machine: "c-controller-0",
            accepted: [
                "ip saddr 10.0.0.4 meta l4proto icmp",
                "ip saddr 10.0.0.20 meta l4proto icmp",
                "ip saddr 10.0.0.3 tcp dport 6443-6443",
                "ip saddr 10.0.0.4 tcp dport 2379-2380",
            ],
            letsOut: true,
            letsOutIpv6: false,
        });
    });

    it("allows IPv6 from members with an address, and out only by a rule for ::/0", () => {
        const two = { ...instances[2], address6: "2001:db8::5" };
        const { securityRules } = resources;
        const more = {
            ...securityRules,
            f: rule("nodes", { protocol: "udp", fromPort: 8472, toPort: 8472, peer: "nodes" }),
            g: rule("nodes", { protocol: "icmpv6", fromPort: -1, toPort: -1, peer: "nodes" }),
            h: rule("nodes", { isIngress: false, protocol: "-1", cidr: "::/0" }),
        };
        const with6 = { ...resources, instances: { 1: instances[1], 2: two }, securityRules: more } as Resources;
        const filter = filterOf(with6, two);
        assert.deepEqual(filter.accepted, [
            "ip saddr 10.0.0.4 meta l4proto icmp",
            "ip saddr 10.0.0.20 meta l4proto icmp",
            "ip saddr 10.0.0.4 udp dport 8472-8472",
            "ip saddr 10.0.0.20 udp dport 8472-8472",
            "ip6 saddr 2001:db8::5 udp dport 8472-8472",
            "ip6 saddr 2001:db8::5 meta l4proto icmpv6",
            "icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert }",
        ]);
        assert.doesNotMatch(rulesetOf(filter), /postrouting/);
        const without = rulesetOf(filterOf({ ...with6, securityRules }, two));
        assert.match(without, /postrouting priority 190; policy drop;(?!.*nfproto ipv6).*nfproto ipv4 accept/s);
    });

    it("is that of its own groups", () => {
        assert.equal(filterOf(resources, instances[2]).accepted?.length, 2);
    });

    it("allows nothing in or out without a rule", () => {
        const filter = filterOf({ ...resources, securityRules: {} }, instances[2]);
        assert.deepEqual(filter.accepted, []);
        assert.match(rulesetOf(filter), /hook prerouting priority -190; policy drop;/);
        assert.match(rulesetOf(filter), /hook postrouting priority 190; policy drop;/);
        assert.doesNotMatch(rulesetOf({ ...filter, letsOut: true, letsOutIpv6: true }), /postrouting/);
    });
});
