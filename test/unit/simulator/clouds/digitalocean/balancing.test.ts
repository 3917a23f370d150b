import assert from "node:assert/strict";
import type { LoadBalancer, Resources } from "../../../../../simulator/clouds/digitalocean/account";
import { backendsOf, containerOf } from "../../../../../simulator/clouds/digitalocean/load-balancer";

const droplet = (name: string, address: string, tags: string[], vpc = "v") => ({
    ...{ name, address, tags, vpc },
    region: "fra1",
});
const resources = {
    droplets: {
        1: droplet("c-controller-0", "10.0.0.10", ["c"]),
        2: droplet("c-a-0", "10.0.0.11", ["c", "c-ingress"]),
        3: droplet("another-VPC's", "10.9.0.12", ["c-ingress"], "w"),
    },
} as unknown as Resources;
const balancer: LoadBalancer = { name: "c-api", vpc: "v", address: "10.0.0.3", droplets: [1, 4], ports: [] };

describe("a simulated load balancer of DigitalOcean", () => {
    it("balances over its droplets by id, as long as they exist", () => {
        assert.deepEqual(backendsOf(resources, balancer), ["10.0.0.10"]);
    });

    it("balances over the droplets in its VPC with its tag", () => {
        assert.deepEqual(backendsOf(resources, { ...balancer, droplets: [], tag: "c-ingress" }), ["10.0.0.11"]);
    });

    it("is the machines' own for the API, and a separate one otherwise", () => {
        assert.equal(containerOf({ ...balancer, ports: [{ port: 6443, targetPort: 6443 }] }), undefined);
        assert.equal(containerOf({ ...balancer, name: "c-ingress" }), "c-ingress.service");
    });
});
