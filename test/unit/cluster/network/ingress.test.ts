import assert from "node:assert/strict";
import { type IngressOptions, ingressName, requireIngress, workerPorts } from "../../../../cluster/network/ingress";
import { resolveCluster } from "../../../../cluster/resolve";

const cluster = resolveCluster({ name: "c", domain: "example.com", workerPools: [{ name: "a" }, { name: "b" }] });

describe("ingress", () => {
    it("is forwarded to TCP 80 and 443 of every pool's workers by default", () => {
        assert.deepEqual(requireIngress({}, cluster), { http: 80, https: 443, pools: ["a", "b"] });
        assert.equal(ingressName(cluster), "ingress.c.example.com");
    });

    it("is forwarded as configured", () => {
        const healthCheck = { port: 10254, path: "/healthz" };
        const asked = { httpPort: 30080, httpsPort: 30443, healthCheck, pools: ["b"], allowedCidrs: ["192.0.2.0/24"] };
        const ingress = requireIngress(asked, cluster);
        const { allowedCidrs } = asked;
        assert.deepEqual(ingress, { http: 30080, https: 30443, healthCheck, pools: ["b"], allowedCidrs });
        assert.deepEqual(workerPorts(ingress), [30080, 30443, 10254]);
    });

    const refused: [string, IngressOptions, RegExp][] = [
        ["a port that is none", { httpPort: 0 }, /^ingress\.httpPort must be a port from 1 to 65535 \(got 0\)$/],
        [
            "a port of the node's own",
            { httpsPort: 10250 },
            /^ingress\.httpsPort must be a port that is free on nodes: this one is used by kubelet \(got 10250\)$/,
        ],
        ["one port for both", { httpPort: 443 }, /^ingress\.httpsPort must not equal ingress\.httpPort \(got 443\)$/],
        [
            "a path that is none",
            { healthCheck: { port: 10254, path: "healthz" } },
            /^ingress\.healthCheck\.path must be a path such as \/healthz \(got healthz\)$/,
        ],
        ["no pool", { pools: [] }, /^ingress\.pools must not be empty$/],
        ["an unknown pool", { pools: ["x"] }, /^ingress\.pools\[0\] must be one of a, b \(got x\)$/],
        ["no allowed clients", { allowedCidrs: [] }, /^ingress\.allowedCidrs must not be empty$/],
        ["a block that is none", { allowedCidrs: ["x"] }, /^ingress\.allowedCidrs\[0\] must be an IPv4 block/],
    ];
    for (const [what, options, message] of refused) {
        it(`is refused with ${what}`, () => {
            assert.throws(() => requireIngress(options, cluster), { message });
        });
    }

    it("is refused without workers", () => {
        const message = /^ingress requires a worker pool \(got \{\}\)$/;
        assert.throws(() => requireIngress({}, resolveCluster({ name: "c" })), { message });
    });
});
