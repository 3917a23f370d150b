import assert from "node:assert/strict";
import type { Droplet, Resources } from "../../../../../simulator/clouds/digitalocean/account";
import { ruleset } from "../../../../../simulator/clouds/digitalocean/firewall";

const droplet = (name: string, address: string, tags: string[], vpc = "v"): Droplet => ({
    name,
    region: "fra1",
    vpc,
    address,
    tags,
});
const droplets = {
    1: droplet("c-controller-0", "10.0.0.11", ["c", "c-controller"]),
    2: droplet("c-a-0", "10.0.0.12", ["c"]),
    3: droplet("another-VPC's", "10.9.0.12", ["c"], "w"),
};
const resources: Resources = {
    domains: {},
    projects: {},
    sshKeys: {},
    vpcs: {},
    tags: {},
    droplets,
    volumes: {},
    loadBalancers: { lb: { name: "c-api", vpc: "v", address: "10.0.0.3", droplets: [1], ports: [] } },
    images: {},
    firewalls: {
        f: { name: "c-nodes", tags: ["c"], inboundRules: [{ protocol: "icmp", sourceTags: ["c"] }] },
        g: {
            name: "c-controllers",
            tags: ["c-controller"],
            inboundRules: [
                { protocol: "tcp", portRange: "6443", sourceLoadBalancerUids: ["lb"], sourceAddresses: ["::/0"] },
                { protocol: "tcp", portRange: "2379-2380", sourceTags: ["c-controller"] },
            ],
        },
    },
    dnsRecords: {},
    spacesBuckets: {},
    spacesKeys: {},
    spacesObjects: {},
};
const accepted = (text: string) => text.match(/ip saddr .*/g) ?? [];

describe("the packet filter of a simulated droplet", () => {
    it("allows what the firewalls of its tags allow, within its own VPC", () => {
        const text = ruleset(resources, droplets[1]);
        assert.match(text, /policy drop;/);
        assert.deepEqual(accepted(text), [
            "ip saddr 10.0.0.11 meta l4proto icmp accept",
            "ip saddr 10.0.0.12 meta l4proto icmp accept",
            "ip saddr 10.0.0.3 tcp dport 6443 accept",
            "ip saddr 10.0.0.11 tcp dport 2379-2380 accept",
        ]);
    });

    it("is that of its own tags", () => {
        assert.deepEqual(accepted(ruleset(resources, droplets[2])).length, 2);
    });

    it("is open if no firewall selects one of its tags", () => {
        assert.match(ruleset({ ...resources, firewalls: {} }, droplets[2]), /policy accept;/);
    });
});
