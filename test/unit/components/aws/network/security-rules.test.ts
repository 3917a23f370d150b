import assert from "node:assert/strict";
import type { Ingress } from "../../../../../cluster/network/ingress";
import { type Group, inbound, outbound, type Rules } from "../../../../../components/aws/network/security-groups";

const listed = (rules: Rules) =>
    Object.entries(rules).flatMap(([group, byName]) =>
        Object.values(byName).map(
            ({ protocol, ports = [], peer }) => `${group}: ${protocol} ${ports.join("-")} ${peer}`,
        ),
    );

describe("the security groups on AWS", () => {
    const ingress: Ingress = { http: 80, https: 30443, healthCheck: { port: 10254, path: "/healthz" }, pools: ["a"] };

    it("allow in what the cluster needs, and nothing else", () => {
        assert.deepEqual(listed(inbound()), [
            "load-balancer: tcp 6443-6443 api-clients",
            "nodes: udp 8472-8472 nodes",
            "nodes: tcp 10250-10250 nodes",
            "nodes: icmp  nodes",
            "controllers: tcp 6443-6443 load-balancer",
            "controllers: tcp 6443-6443 nodes",
            "controllers: tcp 2379-2380 controllers",
        ]);
    });

    it("allow the load balancer out to the controllers' API, and nodes to everything", () => {
        assert.deepEqual(listed(outbound()), ["load-balancer: tcp 6443-6443 controllers", "nodes: all  everybody"]);
    });

    it("allow ingress, if configured, into the load balancer, and from there only into workers", () => {
        const more = (after: Rules, before: Rules) => listed(after).filter((rule) => !listed(before).includes(rule));
        assert.deepEqual(more(inbound(ingress), inbound()), [
            "load-balancer: tcp 80-80 ingress-clients",
            "load-balancer: tcp 443-443 ingress-clients",
            "workers: tcp 80-80 load-balancer",
            "workers: tcp 30443-30443 load-balancer",
            "workers: tcp 10254-10254 load-balancer",
        ]);
        assert.deepEqual(more(outbound(ingress), outbound()), [
            "load-balancer: tcp 80-80 workers",
            "load-balancer: tcp 30443-30443 workers",
            "load-balancer: tcp 10254-10254 workers",
        ]);
    });

    it("open no node to everybody", () => {
        for (const group of ["nodes", "controllers", "workers"] satisfies Group[]) {
            assert.ok(Object.values(inbound(ingress)[group]).every(({ peer }) => !/everybody|clients/.test(peer)));
        }
    });
});
