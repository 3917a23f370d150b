import assert from "node:assert/strict";
import { servicesConfig } from "../../../machines/cloud-services";
import { dnsmasqConfig } from "../../../machines/infra";
import { createArgs } from "../../../machines/machine-container";

describe("the path from a machine to a simulated cloud", () => {
    const services = { folder: "/folder", domains: ["amazonaws.com"], certificate: "" };
    const network = { cluster: "one", domain: "tradewind.test", subnet: "10.117.5.0/24" };

    it("is the mirror, by the cloud's names", () => {
        const config = dnsmasqConfig({ ...network, services });
        assert.match(config, /^address=\/amazonaws\.com\/10\.117\.5\.2$/m);
        assert.doesNotMatch(dnsmasqConfig(network), /address=/);
    });

    it("identifies the client, whatever headers a machine sends", () => {
        const config = servicesConfig("one");
        for (const header of ["network one", "address %\\[src\\]", "way metadata", "way api"]) {
            assert.match(config, new RegExp(`^    http-request set-header x-tradewind-${header}$`, "m"));
        }
        assert.doesNotMatch(config, /forwardfor/);
    });

    it("exists from the start of a machine in a cloud", () => {
        const machine = { cluster: "one", name: "n", address: "10.117.5.11" };
        const cloud = { platform: "aws", hops: 1, authority: "" } as const;
        const args = createArgs({ ...machine, cloud }, network, "image");
        assert.deepEqual(args.slice(-2), ["cloud=aws", "hops=1"]);
        assert.equal(args[args.indexOf("--mac-address") + 1], "02:42:0a:75:05:0b");
        assert(!createArgs(machine, network, "image").some((each) => /^(cloud=|hops=|--mac-address)/.test(each)));
    });
});
