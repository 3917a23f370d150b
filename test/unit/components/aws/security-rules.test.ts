import assert from "node:assert/strict";
import { egress, type Group, ingress } from "../../../../components/aws/security-rules";

const listed = (rules: typeof ingress) =>
    Object.entries(rules).flatMap(([group, byName]) =>
        Object.values(byName).map(
            ({ protocol, ports = [], peer }) => `${group}: ${protocol} ${ports.join("-")} ${peer}`,
        ),
    );

describe("the security groups on AWS", () => {
    it("let in what the cluster needs, and nothing else", () => {
        assert.deepEqual(listed(ingress), [
            "load-balancer: tcp 6443-6443 api-clients",
            "nodes: udp 8472-8472 nodes",
            "nodes: tcp 10250-10250 nodes",
            "nodes: icmp  nodes",
            "controllers: tcp 6443-6443 load-balancer",
            "controllers: tcp 6443-6443 nodes",
            "controllers: tcp 2379-2380 controllers",
        ]);
    });

    it("let a load balancer reach the API of controllers, and nodes everything", () => {
        assert.deepEqual(listed(egress), ["load-balancer: tcp 6443-6443 controllers", "nodes: all  everybody"]);
    });

    it("open no node to everybody", () => {
        for (const group of ["nodes", "controllers"] satisfies Group[]) {
            assert.ok(Object.values(ingress[group]).every(({ peer }) => peer !== "everybody"));
        }
    });
});
