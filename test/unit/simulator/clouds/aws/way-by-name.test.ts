import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import type { Account } from "../../../../../simulator/clouds/aws/account";
import { noWayByName } from "../../../../../simulator/clouds/aws/way-by-name";
import { example } from "./services/example";

const name = "api.c.example.com";

describe("the way of a simulated instance to a load balancer by its name", () => {
    let account: Account;
    let folder: string;
    const way = (port = 6443) => noWayByName(account, "i-1", name, port);
    const balancer = (dnsName: string, scheme?: "internal") =>
        account.put("loadBalancers", `lb-${dnsName}`, {
            ...{ name: dnsName, vpc: "vpc-1", address: "10.9.0.3", dnsName, subnets: [], groups: ["sg-lb"], scheme },
        });
    const record = (zone: string, target: string) =>
        account.put("records", `${zone}_${name}_A`, { name, address: "10.9.0.3", target });
    const rule = (peer: { cidr: string } | { peer: string }) =>
        account.put("securityRules", "sgr-1", {
            ...{ name: "api", group: "sg-lb", isIngress: true, protocol: "tcp", fromPort: 6443, toPort: 6443, ...peer },
        });
    const zone = (id: string, called: string, vpcs = ["vpc-1"]) =>
        account.put("hostedZones", id, { name: called, vpcs, isForced: false });
    const behindNat = (zone = "eu-central-1a") => {
        account.put("subnets", "subnet-2", { name: "p", vpc: "vpc-1", cidr: "10.9.0.16/28", zone });
        account.put("addresses", "eip", { name: "nat", address: "203.0.113.7" });
        account.put("natGateways", "nat", { name: "nat", vpc: "vpc-1", subnet: "subnet-2", address: "eip" });
        account.put("associations", "a", { name: "a", table: "rtb-1", subnet: "subnet-1" });
        account.put("routes", "r", { name: "r", table: "rtb-1", gateway: "nat" });
    };

    beforeEach(() => {
        ({ account, folder } = example({ Z1: "example.com" }));
        for (const dnsName of ["public", "internal"] as const) {
            balancer(dnsName, dnsName === "internal" ? dnsName : undefined);
            account.put("listeners", `l-${dnsName}`, {
                ...{ name: "l", loadBalancer: `lb-${dnsName}`, targetGroup: "tg", port: 6443 },
            });
        }
        account.put("targetGroups", "tg", { name: "tg", vpc: "vpc-1", port: 6443 });
        account.put("targets", "t", { name: "t", targetGroup: "tg", instance: "i-1" });
        record("Z1", "public");
        rule({ cidr: "0.0.0.0/0" });
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    it("leads to a public one through the internet, with the address of a NAT gateway in a zone that is up", () => {
        assert.equal(way(), "i-1 has no way to the internet, where public is");
        behindNat();
        assert.equal(way(), undefined);
        rule({ cidr: "10.9.0.0/24" });
        assert.equal(way(), "public does not admit 203.0.113.7, the address of i-1 there");
        rule({ peer: "sg-1" });
        assert.match(way()!, /does not admit/);
        rule({ cidr: "203.0.113.7/32" });
        assert.equal(way(), undefined);
        account.loseZones("a");
        assert.equal(way(), "i-1 has no way to the internet, where public is");
    });

    it("leads to an internal one from its own address and groups", () => {
        zone("Z2", name);
        record("Z2", "internal");
        assert.equal(way(), undefined);
        for (const peer of [{ cidr: "10.9.0.0/24" }, { peer: "sg-1" }]) {
            rule(peer);
            assert.equal(way(), undefined);
        }
        rule({ cidr: "203.0.113.7/32" });
        assert.equal(way(), "internal does not admit 10.9.0.4, the address of i-1 there");
    });

    it("is asked for in the VPC's private zone of the longest name, even if that lacks the name", () => {
        behindNat();
        zone("Z2", "c.example.com");
        assert.equal(way(), `vpc-1 does not resolve ${name}`);
        zone("Z3", name);
        record("Z3", "internal");
        assert.equal(way(), undefined);
        zone("Z2", "c.example.com", []);
        zone("Z3", name, []);
        assert.equal(way(), undefined);
        zone("Z4", "i.c.example.com");
        assert.equal(way(), undefined);
    });

    it("does not lead back to the instance itself if targets see clients' addresses", () => {
        zone("Z2", name);
        record("Z2", "internal");
        account.put("targetGroups", "tg", { name: "tg", vpc: "vpc-1", port: 6443, preservesClient: true });
        assert.equal(way(), "internal may choose i-1 itself, which then gets no answer from its own address");
        account.remove("targets", "t");
        assert.equal(way(), undefined);
    });

    it("needs a listener", () => {
        behindNat();
        rule({ cidr: "0.0.0.0/0" });
        account.remove("listeners", "l-public");
        assert.equal(way(), "public does not listen on 6443");
    });
});
