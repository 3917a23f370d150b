import assert from "node:assert/strict";
import fc from "fast-check";
import { checkAddress, LEGAL, main } from "../../../machines/cli";

describe("the machines' command line", () => {
    const machine = ["machine", "create", "--cluster", "c", "--name", "n", "--address", "10.117.0.11"];
    const network = ["network", "create", "--cluster", "c", "--domain", "test"];
    for (const [args, message] of [
        [["machine", "paint"], /^unknown command machine paint; commands: network create, .*, destroy; see /],
        [["list", "--colour", "red"], /^unknown option --colour; see .* list --help$/],
        [["destroy"], /^--cluster must be a DNS label of at most 63 .* \(got nothing\)$/],
        [["destroy", "--cluster", "-x"], /--cluster/],
        [["destroy", "--cluster", "Big"], /^--cluster must be a DNS label .* \(got Big\)$/],
        [
            [...network, "--subnet", "10.117.5.1/24"],
            /^--subnet must be an IPv4 subnet that ends in .0\/24 \(got 10.117.5.1\/24\)$/,
        ],
        [[...network, "--subnet", "10.117.5.0/16"], /^--subnet must be .* \(got 10.117.5.0\/16\)$/],
        [
            [...network, "--subnet", "10.117.5.0/24", "--subnet6", "fd00::/48"],
            /^--subnet6 must be an IPv6 subnet that ends in ::\/64 \(got fd00::\/48\)$/,
        ],
        [[...machine, "--address6", "10.0.0.1"], /^--address6 must be an IPv6 address \(got 10.0.0.1\)$/],
        [[...machine, "--os", "windows"], /^--os must be ignition or cloud-init \(got windows\)$/],
        [[...machine, "--memory", "lots"], /^--memory must be a size such as 512m or 4g \(got lots\)$/],
        [[...machine, "--address", "10.117.0.256"], /^--address must be an IPv4 address \(got 10.117.0.256\)$/],
        [
            ["load-balancer", "create", "--cluster", "c", "--address", "10.117.0.3", "--backends", "a"],
            /^--backends must be/,
        ],
        [
            ["bootstrap", "wait", "--cluster", "c", "--name", "n", "--timeout", "soon"],
            /^--timeout must be a number of seconds \(got soon\)$/,
        ],
        [["exec", "--cluster", "c", "--name", "n"], /^missing command after --$/],
    ] as const) {
        it(`rejects "${args.join(" ")}"`, async () => {
            await assert.rejects(main(args), { message, exitCode: 2 });
        });
    }
});

describe("LEGAL", () => {
    it("accepts every IPv4 address and port", () => {
        fc.assert(fc.property(fc.ipV4(), (address) => LEGAL.address.read(address) === address));
        fc.assert(
            fc.property(
                fc.nat(70_000),
                (port) => (LEGAL.port.read(`${port}`) === port) === (port >= 1024 && port <= 65535),
            ),
        );
    });

    it("accepts the IPv6 subnet of every network of machines, and no larger one", () => {
        for (const subnet of ["fd74:7264:a75:500::/64", "fd74:7264:a75::/64"])
            assert.equal(LEGAL.subnet6.read(subnet), subnet);
        for (const subnet of ["fd74:7264:a75:500::/48", "fd74:7264:a75:500:1::/64", "fd74::1/64", "::/64"]) {
            assert.equal(LEGAL.subnet6.read(subnet), undefined);
        }
    });
});

describe("checkAddress", () => {
    for (const address of ["10.117.5.3", "10.117.5.255", "10.117.6.11"]) {
        it(`rejects ${address} for a machine`, () => {
            const message = `--address must be one of 10.117.5.4 to 10.117.5.254 (got ${address})`;
            assert.throws(() => checkAddress(address, "10.117.5.0/24", 4), { message });
        });
    }

    it("accepts the first free one", () => checkAddress("10.117.5.4", "10.117.5.0/24", 4));
});
