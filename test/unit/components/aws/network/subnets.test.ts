import assert from "node:assert/strict";
import fc from "fast-check";
import { Address6 } from "ip-address";
import { contains, overlaps, parseCidr } from "../../../../../cluster/network/cidr";
import {
    ipv6Subnet,
    ownSubnets,
    privateSubnet,
    publicSubnet,
    roomIn,
    zoneLetters,
} from "../../../../../components/aws/network/subnets";
import type { AwsOptions, AwsPoolOptions } from "../../../../../components/aws/options";
import { resolveAws } from "../../../../../components/aws/resolve";

const vpcs = fc
    .record({ second: fc.nat(255), third: fc.nat(255), prefix: fc.integer({ min: 16, max: 24 }) })
    .map(({ second, third, prefix }) => {
        const mask = 256 - 2 ** (24 - prefix);
        return parseCidr("vpcCidr", `10.${second}.${third & mask}.0/${prefix}`);
    });
const subnet = (vpc: ReturnType<typeof parseCidr>, zone: (typeof zoneLetters)[number]) =>
    parseCidr("subnet", publicSubnet(vpc, zone));

describe("the subnets of a VPC", () => {
    it("are sixteenths of it, by the zone's letter", () => {
        const vpc = parseCidr("vpcCidr", "10.0.0.0/16");
        assert.equal(publicSubnet(vpc, "a"), "10.0.0.0/20");
        assert.equal(publicSubnet(vpc, "c"), "10.0.32.0/20");
        assert.equal(publicSubnet(vpc, "h"), "10.0.112.0/20");
        assert.equal(privateSubnet(vpc, "a"), "10.0.128.0/20");
        assert.equal(privateSubnet(vpc, "h"), "10.0.240.0/20");
    });

    it("have an IPv6 block each, of the 256 that the VPC's has, by kind and letter", () => {
        const vpc = "2001:db8:1234:1a00::/56";
        const kinds = ["public", "private"] as const;
        const all = kinds.flatMap((kind) => zoneLetters.map((zone) => ipv6Subnet(vpc, { kind, zone })));
        assert.equal(all[0], "2001:db8:1234:1a00::/64");
        assert.equal(ipv6Subnet(vpc, { kind: "private", zone: "c" }), "2001:db8:1234:1a0a::/64");
        assert.equal(new Set(all).size, 2 * zoneLetters.length);
        for (const each of all) assert.ok(new Address6(each).isInSubnet(new Address6(vpc)), each);
    });

    it("lie in the VPC and do not overlap, in any VPC and any zones", () => {
        const two = fc.uniqueArray(fc.constantFrom(...zoneLetters), { minLength: 2, maxLength: 2 });
        fc.assert(
            fc.property(vpcs, two, (vpc, [one, other]) => {
                const [a, b] = [subnet(vpc, one!), subnet(vpc, other!)];
                assert.ok(vpc.first <= a.first && a.last <= vpc.last);
                assert.equal(overlaps(a, b), false);
            }),
        );
    });

    it("fill the VPC when every zone has a public and a private one", () => {
        fc.assert(
            fc.property(vpcs, (vpc) => {
                const all = [publicSubnet, privateSubnet].flatMap((of) =>
                    zoneLetters.map((zone) => parseCidr("subnet", of(vpc, zone))),
                );
                for (const [index, { first }] of all.entries()) {
                    assert.equal(first, index === 0 ? vpc.first : all[index - 1]!.last + 1n);
                }
                assert.equal(all.at(-1)!.last, vpc.last);
            }),
        );
    });

    it("are never smaller than AWS takes, and have room for instances", () => {
        fc.assert(fc.property(vpcs, (vpc) => subnet(vpc, "a").prefix <= 28 && roomIn(vpc) >= 3));
    });
});

type Options = Omit<AwsOptions, "downloads">;

/** What a cluster's subnets depend on, and what they must not: its zones, its topology, its pools. */
const clusters = fc.record({
    vpcCidr: fc.constantFrom("10.0.0.0/16", "10.128.0.0/18", "172.20.4.0/22", "192.168.6.0/23"),
    topology: fc.constantFrom("public", "private"),
    zones: fc.uniqueArray(fc.constantFrom(...zoneLetters), { minLength: 1 }),
    pools: fc.uniqueArray(fc.record({ name: fc.constantFrom("a", "b", "c"), count: fc.nat(1) }), {
        selector: ({ name }) => name,
    }),
});

/** Blocks by kind and zone. */
function blocksOf({
    pools,
    ...options
}: { pools: AwsPoolOptions[] } & Pick<Options, "vpcCidr" | "topology" | "zones">) {
    const least = { domain: "example.com", region: "eu-central-1", workerPools: pools };
    const subnets = ownSubnets(resolveAws("c", { ...least, ...options }).aws);
    return Object.fromEntries(
        Object.values(subnets).flatMap((each) => each.map(({ kind, zone, cidr }) => [`${kind}-${zone}`, cidr])),
    );
}

describe("the subnets of a cluster with its own VPC", () => {
    it("lie in the VPC, one of each kind and zone, and none overlaps another one, pods or services", () => {
        fc.assert(
            fc.property(clusters, (options) => {
                const vpc = parseCidr("vpcCidr", options.vpcCidr);
                const texts = Object.values(blocksOf(options));
                assert.equal(texts.length, options.zones.length * (options.topology === "public" ? 1 : 2));
                const blocks = texts.map((text) => parseCidr("subnet", text));
                assert.ok(blocks.every((block) => contains(vpc, block)));
                const others = ["10.2.0.0/16", "10.3.0.0/16"].map((text) => parseCidr("network", text));
                const all = [...blocks, ...others];
                const pairs = all.flatMap((one, index) => all.slice(index + 1).map((other) => [one, other] as const));
                assert.deepEqual(
                    pairs.filter(([one, other]) => overlaps(one, other)).map((pair) => pair.map(({ text }) => text)),
                    [],
                );
            }),
        );
    });

    it("stay where they are when a zone is added, anywhere in the list", () => {
        const added = fc.tuple(clusters, fc.constantFrom(...zoneLetters), fc.nat());
        fc.assert(
            fc.property(added, ([options, zone, at]) => {
                fc.pre(!options.zones.includes(zone));
                const zones = options.zones.toSpliced(at % (options.zones.length + 1), 0, zone);
                const [before, after] = [blocksOf(options), blocksOf({ ...options, zones })];
                assert.deepEqual({ ...after, ...before }, after);
            }),
        );
    });

    it("stay in place when pools are added, removed or resized, and public ones when nodes become private", () => {
        fc.assert(
            fc.property(clusters, clusters, (options, { pools, topology }) => {
                const before = blocksOf(options);
                assert.deepEqual(blocksOf({ ...options, pools }), before);
                const ofKind = (kind: string, blocks: object) =>
                    Object.entries(blocks).filter(([name]) => name.startsWith(kind));
                assert.deepEqual(ofKind("public", blocksOf({ ...options, topology })), ofKind("public", before));
            }),
        );
    });
});
