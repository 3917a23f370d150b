import assert from "node:assert/strict";
import fc from "fast-check";
import { checkAddress, LEGAL, Options } from "../../../machines/options";

describe("LEGAL", () => {
    it("accepts every IPv4 address and port", () => {
        fc.assert(fc.property(fc.ipV4(), (address) => LEGAL.address[1].test(address)));
        fc.assert(
            fc.property(fc.nat(70_000), (port) => LEGAL.port[1].test(`${port}`) === (port >= 1024 && port <= 65535)),
        );
    });

    it("accepts the IPv6 subnet of every network of machines, and no larger one", () => {
        const [, pattern] = LEGAL.subnet6;
        for (const subnet of ["fd74:7264:a75:500::/64", "fd74:7264:a75::/64"]) assert.match(subnet, pattern);
        for (const subnet of ["fd74:7264:a75:500::/48", "fd74:7264:a75:500:1::/64", "fd74::1/64", "::/64"]) {
            assert.doesNotMatch(subnet, pattern);
        }
    });
});

describe("Options", () => {
    it("leaves everything after -- to the command", () => {
        const { words, command } = Options.parse(["exec", "--name", "n", "--", "ls", "--help"]);
        assert.deepEqual({ words, command }, { words: ["exec"], command: ["ls", "--help"] });
    });
});

describe("checkAddress", () => {
    for (const address of ["10.117.5.3", "10.117.5.255", "10.117.6.11"]) {
        it(`rejects ${address} for a machine`, () => {
            const message = `--address must be one of 10.117.5.4 to 10.117.5.254, got ${address}`;
            assert.throws(() => checkAddress(address, "10.117.5.0/24", 4), { message });
        });
    }

    it("accepts the first free one", () => checkAddress("10.117.5.4", "10.117.5.0/24", 4));
});
