import assert from "node:assert/strict";
import {
    controllerRules,
    ingressRules,
    nodeRules,
    outboundRules,
    serviceRules,
} from "../../../../components/digitalocean/security";

const peers = { nodes: "c", controllers: "c-controller", api: { loadBalancer: "lb" } };

describe("the firewalls on DigitalOcean", () => {
    it("allow pod traffic and kubelet clients to a node, from nodes only", () => {
        assert.deepEqual(nodeRules(peers), [
            { protocol: "udp", portRange: "8472", sourceTags: ["c"] },
            { protocol: "tcp", portRange: "10250", sourceTags: ["c"] },
            { protocol: "icmp", sourceTags: ["c"] },
        ]);
    });

    it("additionally allow clients of the API and etcd members to a controller", () => {
        assert.deepEqual(controllerRules(peers), [
            { protocol: "tcp", portRange: "6443", sourceTags: ["c"], sourceLoadBalancerUids: ["lb"] },
            { protocol: "tcp", portRange: "2379-2380", sourceTags: ["c-controller"] },
        ]);
    });

    it("allow the API's clients to a controller without a load balancer", () => {
        const [api, ...others] = controllerRules({ ...peers, api: { addresses: ["192.0.2.0/24"] } });
        const sources = { sourceTags: ["c"], sourceAddresses: ["192.0.2.0/24"] };
        assert.deepEqual(api, { protocol: "tcp", portRange: "6443", ...sources });
        assert.deepEqual(others, controllerRules(peers).slice(1));
    });

    it("allow traffic and health checks of the load balancer to a worker with ingress", () => {
        const ingress = { http: 80, https: 30443, healthCheck: { port: 10254, path: "/" }, pools: [] };
        assert.deepEqual(
            ingressRules(ingress, { loadBalancer: "lb" }),
            ["80", "30443", "10254"].map((portRange) => ({
                protocol: "tcp",
                portRange,
                sourceLoadBalancerUids: ["lb"],
            })),
        );
    });

    it("allow node ports and kube-proxy's health checks from their own VPC only", () => {
        assert.deepEqual(serviceRules("10.0.0.0/20"), [
            { protocol: "tcp", portRange: "30000-32767", sourceAddresses: ["10.0.0.0/20"] },
            { protocol: "udp", portRange: "30000-32767", sourceAddresses: ["10.0.0.0/20"] },
            { protocol: "tcp", portRange: "10256", sourceAddresses: ["10.0.0.0/20"] },
        ]);
    });

    it("open nothing to everybody, and no SSH to anybody", () => {
        for (const rule of [...nodeRules(peers), ...controllerRules(peers)]) {
            assert.equal(rule.sourceAddresses, undefined);
            assert.notEqual(rule.portRange, "22");
        }
    });

    it("allow all outbound traffic", () => {
        assert.deepEqual(
            outboundRules().map(({ protocol, destinationAddresses }) => [protocol, destinationAddresses]),
            ["tcp", "udp", "icmp"].map((protocol) => [protocol, ["0.0.0.0/0", "::/0"]]),
        );
    });
});
