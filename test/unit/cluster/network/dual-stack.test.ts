import assert from "node:assert/strict";
import { podCidrs, resolveNetwork, serviceCidrs } from "../../../../cluster/network/network";
import type { NetworkOptions } from "../../../../cluster/options";
import { dualStack } from "../../components/in-cluster/fixture";

const resolve = (options: NetworkOptions = {}, nodes = 3) => resolveNetwork({ ...dualStack, ...options }, nodes);

describe("networks by IPv6", () => {
    it("are none by default", () => {
        const network = resolveNetwork({}, 3);
        assert.deepEqual([podCidrs(network), serviceCidrs(network)], ["10.2.0.0/16", "10.3.0.0/16"]);
        assert(!("podCidr6" in network || "serviceCidr6" in network));
    });

    it("are second in lists of blocks", () => {
        const network = resolve();
        assert.equal(podCidrs(network), "10.2.0.0/16,fd00:10:2::/56");
        assert.equal(serviceCidrs(network), "10.3.0.0/16,fd00:10:3::/112");
    });

    for (const [options, message] of [
        [{ podCidr6: undefined }, "serviceCidr6 requires network.podCidr6"],
        [{ serviceCidr6: undefined }, "podCidr6 requires network.serviceCidr6"],
        [{ podCidr6: "fd00::/47" }, "podCidr6 must be between /48 and /62 (got fd00::/47)"],
        [{ podCidr6: "fd00::/63" }, "podCidr6 must be between /48 and /62 (got fd00::/63)"],
        [{ serviceCidr6: "fd00::/107" }, "serviceCidr6 must be between /108 and /120 (got fd00::/107)"],
        [{ serviceCidr6: "fd00::/121" }, "serviceCidr6 must be between /108 and /120 (got fd00::/121)"],
        [
            { serviceCidr6: "fd00:10:2:1::/112" },
            "serviceCidr6 must not overlap network.podCidr6 fd00:10:2::/56 (got fd00:10:2:1::/112)",
        ],
        [{ podCidr6: "10.2.0.0/16" }, 'podCidr6 must be an IPv6 block such as fd00:10:2::/56 (got "10.2.0.0/16")'],
    ] as const) {
        it(`are refused: ${JSON.stringify(options)}`, () => {
            assert.throws(() => resolve(options), { message: `network.${message}` });
        });
    }

    it("have a /64 for every node, one being replaced included", () => {
        resolve({ podCidr6: "fd00:10:2::/60", podCidr: "10.128.0.0/12" }, 15);
        assert.throws(() => resolve({ podCidr6: "fd00:10:2::/60", podCidr: "10.128.0.0/12" }, 16), {
            message: "network.podCidr6 must be between /48 and /59 (got fd00:10:2::/60)",
        });
    });
});
