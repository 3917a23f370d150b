import assert from "node:assert/strict";
import { haproxyConfig } from "../../../machines/load-balancer";

const ports = [{ port: 80, targetPort: 30080, backends: ["10.117.5.20", "10.117.5.21"] }];

describe("a load balancer's port other than the API's", () => {
    it("forwards to another port of every backend that accepts connections", () => {
        const config = haproxyConfig({ ports });
        assert.match(config, /frontend port-80\n {4}bind :80\n {4}use_backend unready-80 if/);
        assert.match(config, /default-server check inter 1s .*\n {4}server 10.117.5.20 10.117.5.20:30080\n/);
        assert.doesNotMatch(config, /6443/);
    });

    it("uses HTTP checks if configured", () => {
        const config = haproxyConfig({ ports: [{ ...ports[0]!, check: { port: 10254, path: "/healthz" } }] });
        assert.match(config, /option httpchk GET \/healthz\n/);
        assert.match(config, /default-server check port 10254 inter 1s/);
    });

    it("rejects clients that are not allowed, or all if none are", () => {
        const only = (allowed: string[]) =>
            haproxyConfig({ backends: [], allowed, ports: [{ ...ports[0]!, allowed }] });
        const refusals = (allowed: string[]) => only(allowed).match(/tcp-request connection reject unless .*/g);
        const some = "tcp-request connection reject unless { src 192.0.2.0/24 192.0.2.9 }";
        assert.deepEqual(refusals(["192.0.2.0/24", "192.0.2.9"]), [some, some]);
        assert.match(refusals([])![0]!, /unless { src 0\.0\.0\.0\/32 }/);
        assert.doesNotMatch(haproxyConfig({ backends: [], ports }), /reject unless/);
    });
});
