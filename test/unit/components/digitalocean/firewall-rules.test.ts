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
    it("let into a node pods' packets and kubelets' clients, from nodes alone", () => {
        assert.deepEqual(nodeRules(peers), [
            { protocol: "udp", portRange: "8472", sourceTags: ["c"] },
            { protocol: "tcp", portRange: "10250", sourceTags: ["c"] },
            { protocol: "icmp", sourceTags: ["c"] },
        ]);
    });

    it("let into a controller clients of the API and etcd's members beside", () => {
        assert.deepEqual(controllerRules(peers), [
            { protocol: "tcp", portRange: "6443", sourceTags: ["c"], sourceLoadBalancerUids: ["lb"] },
            { protocol: "tcp", portRange: "2379-2380", sourceTags: ["c-controller"] },
        ]);
    });

    it("let into a controller that no load balancer is before the API's clients themselves", () => {
        const [api, ...others] = controllerRules({ ...peers, api: { addresses: ["192.0.2.0/24"] } });
        const sources = { sourceTags: ["c"], sourceAddresses: ["192.0.2.0/24"] };
        assert.deepEqual(api, { protocol: "tcp", portRange: "6443", ...sources });
        assert.deepEqual(others, controllerRules(peers).slice(1));
    });

    it("let into a worker that takes ingress what its load balancer sends and asks", () => {
        const ingress = { http: 80, https: 30443, healthCheck: { port: 10254, path: "/" }, pools: [] };
        assert.deepEqual(
            ingressRules(ingress, "lb"),
            ["80", "30443", "10254"].map((portRange) => ({
                protocol: "tcp",
                portRange,
                sourceLoadBalancerUids: ["lb"],
            })),
        );
    });

    it("let in node ports, and whether kube-proxy is well, from their own VPC alone", () => {
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

    it("let everything out", () => {
        assert.deepEqual(
            outboundRules().map(({ protocol, destinationAddresses }) => [protocol, destinationAddresses]),
            ["tcp", "udp", "icmp"].map((protocol) => [protocol, ["0.0.0.0/0", "::/0"]]),
        );
    });
});
