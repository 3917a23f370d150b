import assert from "node:assert/strict";
import { haproxyConfig } from "../../../machines/load-balancer";

describe("haproxyConfig", () => {
    const config = haproxyConfig({ backends: ["10.117.5.11", "10.117.5.12"] });

    it("sends connections to every controller", () => {
        assert.match(config, /^ {4}server 10.117.5.11 10.117.5.11:6443\n {4}server 10.117.5.12 10.117.5.12:6443$/m);
    });

    it("checks each one's readiness every second, over TLS with any certificate", () => {
        assert.match(config, /option httpchk GET \/readyz/);
        assert.match(config, /default-server check check-ssl verify none inter 1s fall 2 rise 1/);
    });

    it("checks controllers at a cloud's interval, if configured", () => {
        const pace = { interval: 5, healthy: 3, unhealthy: 2 };
        assert.match(
            haproxyConfig({ backends: ["10.117.5.11"], pace }),
            / check-ssl verify none inter 5s fall 2 rise 3 /,
        );
    });

    it("checks with TLS 1.2 at most, as AWS does, or whether the port is open", () => {
        const backends = ["10.117.5.11"];
        assert.match(
            haproxyConfig({ backends, check: "tls-1.2" }),
            /\n {4}default-server check check-ssl verify none ssl-max-ver TLSv1\.2 ciphers ECDHE-ECDSA-\S+ inter /,
        );
        const byPort = haproxyConfig({ backends, check: "tcp" });
        assert.match(byPort, /\n {4}balance leastconn\n {4}default-server check inter 1s/);
        assert.doesNotMatch(byPort, /httpchk|check-ssl/);
    });

    it("closes idle connections after a day, or after the given time", () => {
        assert.match(config, /timeout client 1h\n {4}timeout server 1h\n {4}timeout tunnel 24h\n/);
        assert.match(
            haproxyConfig({ idleSeconds: 60 }),
            /timeout client 60s\n {4}timeout server 60s\n {4}timeout tunnel 60s\n/,
        );
    });

    it("gives up a machine that vanishes, on open connections too", () => {
        assert.match(config, /timeout connect 1s/);
        assert.match(config, /option redispatch 1/);
        assert.match(config, /srvtcpka-idle 2s\n {4}srvtcpka-intvl 1s\n {4}srvtcpka-cnt 3\n/);
        assert.match(config, /default-server .* tcp-ut 5s\n/);
    });

    it("uses any of them when none is ready", () => {
        assert.match(config, /use_backend unready if { nbsrv\(controllers\) eq 0 }/);
        assert.match(config.split("backend unready\n")[1]!, /server 10.117.5.11 .*\n.*server 10.117.5.12 /);
    });

    it("tries only one of them where AWS checks, which sends connections to those that are down too", () => {
        const unready = (check?: "tcp") =>
            haproxyConfig({ backends: ["10.117.5.11"], check }).split("backend unready\n")[1]!;
        assert.match(unready("tcp"), /^ {4}retries 0$/m);
        assert.match(unready(), /^ {4}retries 1$/m);
    });

    it("uses none if it fails closed, as DigitalOcean's does", () => {
        const ports = [{ port: 80, targetPort: 80, backends: ["10.117.5.20"], failsClosed: true }];
        const closed = haproxyConfig({ backends: ["10.117.5.11"], failsClosed: true, ports });
        assert.doesNotMatch(closed, /use_backend/);
        assert.match(closed, /bind :6443\n( {4}(stick-table|tcp-request) .*\n)* {4}default_backend controllers/);
        assert.match(closed, /bind :80\n {4}default_backend port-80/);
    });

    it("passes its sockets to the next process on a reload", () => {
        assert.match(config, /expose-fd listeners/);
    });
});
