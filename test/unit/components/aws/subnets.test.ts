import assert from "node:assert/strict";
import fc from "fast-check";
import { privateSubnet, publicSubnet, roomIn, zoneLetters } from "../../../../components/aws/subnets";
import { overlaps, parseCidr } from "../../../../components/cluster/cidr";

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
