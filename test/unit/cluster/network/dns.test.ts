import assert from "node:assert/strict";
import type { DnsOptions } from "../../../../cluster/options";
import { fixedCluster } from "../../components/in-cluster/fixture";

describe("options of cluster DNS", () => {
    const resolve = (dns: DnsOptions) => fixedCluster({ network: { dns } }).dns;

    for (const upstream of ["10.0.0.2", "10.0.0.2:5353", "fd00::2", "[fd00::2]", "[fd00::2]:53"]) {
        it(`take ${upstream} as an upstream server`, () => {
            assert.deepEqual(resolve({ upstreams: [upstream] }).upstreams, [upstream]);
        });
    }

    it("tell an empty list of upstream servers from none given", () => {
        assert.deepEqual(resolve({ upstreams: [] }).upstreams, []);
        assert.equal(resolve({}).upstreams, undefined);
    });

    const illegal: Readonly<Record<string, RegExp>> = {
        "dns.example": /^Error: network\.dns\.upstreams\[0\] must be an address with an optional port/,
        "10.0.0.256": /must be an address/,
        "10.0.0.2:70000": /must be an address/,
        "10.0.0.2 }": /must be an address/,
        "": /must be an address .* \(got ""\)$/,
        "127.0.0.53": /must not be cluster DNS or a loopback address/,
        "[::1]:53": /must not be cluster DNS/,
        "10.3.0.10": /must not be cluster DNS/,
    };
    for (const [upstream, error] of Object.entries(illegal)) {
        it(`refuse ${JSON.stringify(upstream)} as an upstream server`, () => {
            assert.throws(() => resolve({ upstreams: [upstream] }), error);
        });
    }

    it("refuse more upstream servers than CoreDNS takes, and another spread", () => {
        const upstreams = Array.from({ length: 16 }, (_, index) => `10.0.0.${index}`);
        assert.throws(() => resolve({ upstreams }), /network\.dns\.upstreams must be at most 15 addresses \(got 16\)/);
        assert.throws(
            () => resolve({ spread: "zones" }),
            /network\.dns\.spread must be one of required, preferred \(got/,
        );
    });
});
