import assert from "node:assert/strict";
import { networkOf } from "../../../local/wake";

describe("the machines' network of a local cluster, from its configuration", () => {
    const key = (option: string) => `tradewind:${option}`;
    const base = { [key("machineCidr")]: "10.117.5.0/24" };

    it("is none before a subnet was chosen", () => {
        assert.equal(networkOf("c", {}), undefined);
    });

    for (const [what, config, others] of [
        ["IPv4 only by default", {}, { domain: "tradewind.internal" }],
        ["dual-stack with IPv6 pods", { podCidr6: "fd00::/56" }, { subnet6: "fd74:7264:a75:500::/64" }],
        ["in the stack's domain", { domain: "a.example" }, { domain: "a.example" }],
    ] as const) {
        it(`is ${what}`, () => {
            const given = Object.fromEntries(Object.entries(config).map(([name, value]) => [key(name), value]));
            const expected = { cluster: "c", subnet: "10.117.5.0/24", domain: "tradewind.internal", ...others };
            assert.deepEqual(networkOf("c", { ...base, ...given }), expected);
        });
    }
});
