import assert from "node:assert/strict";
import { warnOfManyRules } from "../../../../../components/aws/network/security-groups";
import { recordWarnings } from "../../../record-warnings";
import { deployAws as create } from "../deploy-aws";

describe("the rules of a security group", function () {
    this.timeout(60_000);
    const warnings = recordWarnings();

    const many = <T>(count: number, peer: T) => Array.from({ length: count }, () => peer);
    const ipv4 = { cidrIpv4: "192.0.2.0/24" };
    const ipv6 = { cidrIpv6: "2001:db8::/64" };
    const group = { referencedSecurityGroupId: "sg-1" };

    for (const [what, peers, rules] of [
        ["of IPv4", many(61, ipv4), 61],
        ["of IPv6", many(62, ipv6), 62],
        ["of IPv4, with groups", [...many(60, ipv4), group], 61],
    ] as const) {
        it(`are warned of when more than sixty are ${what}`, () => {
            warnOfManyRules("c-nodes", peers, undefined);
            assert.match(
                warnings.join("\n"),
                new RegExp(`the security group c-nodes has ${rules} rules, .* quota .*is 60`),
            );
        });
    }

    it("are taken up to sixty of each kind", () => {
        warnOfManyRules("c-nodes", [...many(59, ipv4), ...many(59, ipv6), group], undefined);
        assert.deepEqual(warnings, []);
    });

    it("are counted over the API's clients and those of ingress, which has two ports", async () => {
        const blocks = Array.from({ length: 20 }, (_, at) => `198.51.100.${at}/32`);
        const options = { topology: "private", apiAllowedCidrs: blocks, workerPools: [{ name: "a" }] };
        await create({ ...options, nodeApiAccess: "shared", ingress: { allowedCidrs: blocks } });
        // And three NAT gateways.
        assert.match(warnings.join("\n"), /the security group c-load-balancer has 63 rules/);
    });
});
