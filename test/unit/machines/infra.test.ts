import assert from "node:assert/strict";
import { dnsmasqConfig, resolverConfig } from "../../../machines/infra";

describe("dnsmasqConfig", () => {
    const config = dnsmasqConfig({ cluster: "one", domain: "tradewind.test", subnet: "10.117.5.0/24" });

    it("resolves the mirror and the API by name", () => {
        assert.match(config, /^host-record=mirror.one.tradewind.test,10.117.5.2$/m);
        assert.match(config, /^host-record=api.one.tradewind.test,10.117.5.3$/m);
    });

    it("leaves the API's name to the creator of its load balancer, if configured", () => {
        const network = { cluster: "one", domain: "tradewind.test", subnet: "10.117.5.0/24", lacksApiName: true };
        assert.doesNotMatch(dnsmasqConfig(network), /api\.one/);
    });

    it("has no upstream for other domains", () => {
        assert.match(config, /^no-resolv$/m);
        assert.doesNotMatch(config, /^server=/m);
    });

    it("sits behind a resolver that caches missing names, if the network has one", () => {
        const network = { cluster: "one", domain: "tradewind.test", subnet: "10.117.5.0/24", remembersMissing: 900 };
        assert.match(dnsmasqConfig(network), /^listen-address=127.0.0.1\nport=5353$/m);
        const resolver = resolverConfig(network.subnet, network.remembersMissing);
        assert.match(resolver, /^listen-address=10.117.5.2\nserver=127.0.0.1#5353\nneg-ttl=900$/m);
        assert.doesNotMatch(config, /port=|listen-address=/);
    });
});
