import assert from "node:assert/strict";
import type { Account, Resources } from "../../../../../simulator/clouds/aws/account";
import { admission } from "../../../../../simulator/clouds/aws/admission";
import { portsOf } from "../../../../../simulator/clouds/aws/balancing";

const instance = (address: string, createdBy?: string) => ({ name: "", machine: "", address, createdBy });
const rule = (cidr: string, fromPort: number) => ({
    ...{ name: "", group: "sg", isIngress: true, protocol: "tcp" },
    ...{ cidr, fromPort, toPort: fromPort },
});
const balancer = { name: "c", vpc: "v", address: "10.0.0.3", dnsName: "", subnets: [], groups: ["sg"] };
const resources = {
    loadBalancers: { lb: balancer },
    listeners: {
        a: { name: "", loadBalancer: "lb", targetGroup: "api", port: 6443 },
        b: { name: "", loadBalancer: "lb", targetGroup: "http", port: 80 },
        c: { name: "", loadBalancer: "another", targetGroup: "http", port: 80 },
    },
    targetGroups: {
        api: { name: "", vpc: "v", port: 6443, pace: { interval: 5, healthy: 2, unhealthy: 2 } },
        http: { name: "", vpc: "v", port: 30080, check: { port: 10254, path: "/healthz" } },
    },
    targets: { t: { name: "", targetGroup: "api", instance: "i-1" } },
    instances: {
        "i-1": instance("10.0.0.4"),
        "i-2": instance("10.0.0.20", "c-a"),
        "i-3": instance("10.0.0.21", "c-b"),
    },
    autoScalingGroups: { "c-a": { name: "c-a", targetGroups: ["http"] }, "c-b": { name: "c-b", targetGroups: [] } },
    securityRules: {
        a: rule("198.51.100.0/24", 6443),
        b: rule("203.0.113.1/32", 6443),
        c: rule("0.0.0.0/0", 80),
    },
    natGateways: { nat: { name: "", vpc: "v", subnet: "public", address: "eip" } },
    addresses: { eip: { name: "", address: "203.0.113.1" } },
    routes: { r: { name: "", table: "private", gateway: "nat" } },
    associations: { x: { name: "", table: "private", subnet: "s" }, y: { name: "", table: "public", subnet: "p" } },
    subnets: {
        s: { name: "", vpc: "v", cidr: "10.0.128.0/20", zone: "xa" },
        p: { name: "", vpc: "v", cidr: "10.0.0.0/20", zone: "xa" },
        public: { name: "", vpc: "v", cidr: "10.0.16.0/20", zone: "xb" },
    },
    vpcs: { v: { name: "c", cidr: "10.0.0.0/16" } },
} as unknown as Resources;
const accountOf = (lostZones: readonly string[] = [], more: object = {}) => {
    const all = { ...resources, ...more };
    return {
        all: (kind: keyof Resources) => Object.values(all[kind]),
        resources: all,
        state: { region: "x", lostZones, resources: all },
    } as unknown as Account;
};
const account = accountOf();

describe("a simulated load balancer of AWS", () => {
    it("forwards each port to the attached instances, attached directly or by group", () => {
        assert.deepEqual(portsOf(account, "lb"), [
            {
                ...{ port: 80, targetPort: 30080, check: { port: 10254, path: "/healthz" }, pace: undefined },
                ...{ refused: ["10.0.0.0/20", "10.0.16.0/20"], backends: ["10.0.0.20"] },
            },
            {
                ...{ port: 6443, targetPort: 6443, check: undefined, pace: { interval: 5, healthy: 2, unhealthy: 2 } },
                ...{ allowed: ["10.0.128.0/20", "198.51.100.0/24", "203.0.113.1/32"], backends: ["10.0.0.4"] },
            },
        ]);
    });

    it("admits clients that the rules of its groups allow at a port, also from behind a NAT gateway", () => {
        assert.deepEqual(admission(account, balancer, 443), { allowed: [] });
        assert.deepEqual(admission(account, { ...balancer, groups: [], scheme: "internal" }, 6443), {});
    });

    it("refuses instances without a way to the internet, where it is", () => {
        const withoutWay = ["10.0.0.0/20", "10.0.16.0/20"];
        assert.deepEqual(admission(account, balancer, 80), { refused: withoutWay });
        assert.deepEqual(admission(accountOf(["b"]), balancer, 80), {
            refused: ["10.0.128.0/20", ...withoutWay].sort(),
        });
    });

    it("sees public instances with the addresses that AWS assigned to them, and only an internal one sees their own", () => {
        const of = (cidr: string, scheme?: string) => {
            const routes = { r: { name: "", table: "public", gateway: "igw" } };
            const instances = {
                i: { ...instance("10.0.0.4"), vpc: "v", subnet: "p", publicAddress: "198.51.100.9" },
                j: { ...instance("10.0.0.5"), vpc: "v", subnet: "p", publicAddress: "192.0.2.1" },
            };
            const more = accountOf([], { routes, instances, securityRules: { r: rule(cidr, 6443) } });
            return admission(more, { ...balancer, scheme }, 6443);
        };
        assert.deepEqual(of("198.51.100.0/24"), { allowed: ["10.0.0.4/32", "198.51.100.0/24"] });
        assert.deepEqual(of("10.0.0.0/16"), { allowed: [] });
        assert.deepEqual(of("10.0.0.0/16", "internal"), { allowed: ["10.0.0.0/16"] });
    });
});
