import assert from "node:assert/strict";
import { checkRequest, type JoinRequest } from "../../../../cli/join-token/request";
import type { ClusterOptions } from "../../../../cluster/options";
import { UsageError } from "../../../../command-line/parse";
import type { RecoveryRecord } from "../../../../components/bootstrap/bootstrap";
import { config } from "../../../../ignition";
import { dualStack } from "../../components/in-cluster/fixture";

const options = {
    name: "c",
    controllers: { count: 3, candidates: ["d"] },
    workerPools: [{ name: "a" }, { name: "b" }, { name: "d", count: 1 }],
};
const recordOf = (more: Partial<ClusterOptions> = {}) =>
    ({
        options: { ...options, ...more },
        machines: {},
        joining: { b: config(), a: config() },
    }) as unknown as RecoveryRecord;
const request = { node: "rack-1", pool: "a", address: "10.0.0.9", seconds: 3600 };

describe("a machine that is to join", () => {
    it("may have any name that is neither the stack's nor its cloud's", () => {
        for (const node of ["rack-1", "c-a", "c-9", "a.example.com", "x"])
            checkRequest({ ...request, node }, recordOf());
    });

    it("has an IPv6 address in a cluster with IPv6", () => {
        checkRequest({ ...request, address6: "fd00::9" }, recordOf({ network: dualStack, controllers: { count: 1 } }));
    });

    const wrong: [Partial<JoinRequest>, RegExp][] = [
        [{ node: "Rack_1" }, /^NODE must be a DNS name of at most 63 characters in lower case \(got Rack_1\)$/],
        [{ node: "a".repeat(64) }, /^NODE must be a DNS name/],
        [{ node: "c-controller-1" }, /^c-controller-1 is a controller: .*controllers\.count/],
        [{ node: "c-controller-9" }, /^c-controller-9 is a name that the stack or its cloud may give/],
        [{ node: "c-a-0" }, /^c-a-0 is a name that the stack or its cloud may give/],
        [{ node: "i-0123456789abcdef0" }, /is a name that the stack or its cloud may give/],
        [{ pool: "z" }, /^--pool z is no pool of workers; pools are a, b$/],
        [{ pool: "controller" }, /^--pool controller is no pool of workers/],
        [{ pool: "constructor" }, /^--pool constructor is no pool of workers/],
        [{ pool: "d" }, /^--pool d is of candidates, which only the stack creates; pools are a, b$/],
        [{ address: "10.0.0" }, /^--address must be an IPv4 address \(got 10\.0\.0\)$/],
        [{ address: "fd00::9" }, /^--address must be an IPv4 address/],
        [{ node: "localhost" }, /^NODE must not be a name of the API or of metrics \(got localhost\)$/],
        [{ node: "kubernetes.default.svc" }, /^NODE must not be a name of the API/],
        [{ node: "metrics-server.kube-system.svc" }, /^NODE must not be a name of the API/],
        [{ address: "10.3.0.1" }, /^--address must not be in 10\.3\.0\.0\/16 \(got 10\.3\.0\.1\)$/],
        [{ address: "10.2.255.1" }, /^--address must not be in 10\.2\.0\.0\/16/],
        [{ address: "127.0.0.1" }, /^--address must not be in 127\.0\.0\.0\/8/],
        [{ address: "0.0.0.0" }, /^--address must not be in 0\.0\.0\.0\/8/],
        [{ address: "255.255.255.255" }, /^--address must not be in 224\.0\.0\.0\/3/],
        [{ publicAddress: "x" }, /^--public-address must be an IPv4 address \(got x\)$/],
        [{ publicAddress: "10.3.0.1" }, /^--public-address must not be in 10\.3\.0\.0\/16 \(got 10\.3\.0\.1\)$/],
        [{ address6: "fd00::9" }, /^--address6 needs a cluster with IPv6$/],
    ];
    for (const [change, message] of wrong) {
        it(`is refused: ${JSON.stringify(change).slice(0, 60)}`, () => {
            assert.throws(
                () => checkRequest({ ...request, ...change }, recordOf()),
                (error: unknown) => error instanceof UsageError && message.test(error.message),
            );
        });
    }

    it("has no zone in its IPv6 address", () => {
        const six = recordOf({ network: dualStack, controllers: { count: 1 } });
        assert.throws(
            () => checkRequest({ ...request, address6: "fe80::9%eth0" }, six),
            /^Error: --address6 must be an IPv6 address \(got fe80::9%eth0\)$/,
        );
    });

    it("has no IPv6 address of pods, services or loopback", () => {
        const six = recordOf({ network: dualStack, controllers: { count: 1 } });
        for (const [address6, message] of [
            ["fd00:10:3::1", "--address6 must not be in fd00:10:3::/112 (got fd00:10:3::1)"],
            ["fd00:10:2::1", "--address6 must not be in fd00:10:2::/56 (got fd00:10:2::1)"],
            ["::1", "--address6 must be unique local (in fc00::/7) or global unicast (in 2000::/3) (got ::1/128)"],
            [
                "::ffff:10.3.0.1",
                "--address6 must be unique local (in fc00::/7) or global unicast (in 2000::/3) (got ::ffff:a03:1/128)",
            ],
        ] as const) {
            assert.throws(() => checkRequest({ ...request, address6 }, six), { message, exitCode: 2 });
        }
    });

    it("is refused by a stack whose state an older release wrote", () => {
        const { joining: _, ...older } = recordOf();
        assert.throws(() => checkRequest(request, older), /run pulumi up with this release first/);
    });
});
