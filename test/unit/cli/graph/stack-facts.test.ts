import assert from "node:assert/strict";
import type { GroupState } from "@pulumi/aws/autoscaling/group";
import type { InstanceState } from "@pulumi/aws/ec2/instance";
import type { SubnetState } from "@pulumi/aws/ec2/subnet";
import type { VpcState } from "@pulumi/aws/ec2/vpc";
import type { LoadBalancerState } from "@pulumi/aws/lb/loadBalancer";
import type { DropletState } from "@pulumi/digitalocean/droplet";
import type { LoadBalancerState as DigitalOceanLoadBalancerState } from "@pulumi/digitalocean/loadBalancer";
import type { VpcState as DigitalOceanVpcState } from "@pulumi/digitalocean/vpc";
import { stackFactsIn } from "../../../../cli/graph/stack-facts";

const secret = (value: unknown) => ({
    "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
    plaintext: JSON.stringify(value),
});

/** Resources with outputs like the provider's. */
const resource = <State extends object = Record<string, unknown>>(type: string, name: string, outputs: State) => ({
    type,
    urn: `urn:pulumi:prod::tradewind::${type}::${name}`,
    outputs: outputs as Record<string, unknown>,
});

function exported(component: string, recovery: object, ...resources: ReturnType<typeof resource>[]) {
    const record = { credentials: { kubernetesCa: { cert: "CA", key: "PRIVATE" } }, ...recovery };
    return {
        deployment: {
            resources: [resource(`tradewind:index:${component}`, "c", { recovery: secret(record) }), ...resources],
        },
    };
}

describe("the facts in a stack's state", () => {
    it("contain the network and the machines of a local cluster", () => {
        const recovery = {
            options: { name: "c", workerPools: [{ name: "default", count: 2 }], kubernetesVersion: "1.36.3" },
            machines: { "c-controller-0": "10.1.0.11", "c-default-0": "10.1.0.32", "c-default-1": "10.1.0.33" },
        };
        const network = resource("command:local:Command", "c-network", {
            triggers: ["10.1.0.0/24", "tradewind.internal"],
        });
        const facts = stackFactsIn(exported("LocalCluster", recovery, network), "c");
        assert.deepEqual(
            [facts.cloud, facts.network, facts.podCidrs, facts.serviceCidrs, facts.kubernetes],
            ["local", "10.1.0.0/24", "10.2.0.0/16", "10.3.0.0/16", "1.36.3"],
        );
        assert.deepEqual(facts.controllers, ["c-controller-0"]);
        assert.deepEqual(facts.pools, [{ name: "default", nodes: ["c-default-0", "c-default-1"] }]);
        assert.deepEqual(facts.machines["c-default-1"], { address: "10.1.0.33" });
    });

    it("contain the VPC with its subnets, sizes and zones, and groups without node names, on AWS", () => {
        const recovery = {
            options: { name: "c", controllers: { count: 1 }, workerPools: [{ name: "blue", count: 3 }] },
            machines: { "c-controller-0": "10.0.0.9" },
        };
        const facts = stackFactsIn(
            exported(
                "AwsCluster",
                recovery,
                resource<VpcState>("aws:ec2/vpc:Vpc", "c", { cidrBlock: "10.0.0.0/16" }),
                resource<SubnetState>("aws:ec2/subnet:Subnet", "c-public-a", {
                    availabilityZone: "eu-central-1a",
                    cidrBlock: "10.0.0.0/20",
                }),
                resource<LoadBalancerState>("aws:lb/loadBalancer:LoadBalancer", "c-api", {
                    dnsName: "c-api.elb.amazonaws.com",
                }),
                resource<InstanceState>("aws:ec2/instance:Instance", "c-controller-0", {
                    instanceType: "t3.small",
                    availabilityZone: "eu-central-1a",
                }),
                resource<GroupState>("aws:autoscaling/group:Group", "c-blue", { minSize: 3, maxSize: 6 }),
            ),
            "prod",
        );
        assert.deepEqual(
            [facts.cloud, facts.network, facts.apiAddress, facts.subnets],
            ["aws", "10.0.0.0/16", "c-api.elb.amazonaws.com", [{ zone: "eu-central-1a", cidr: "10.0.0.0/20" }]],
        );
        assert.deepEqual(facts.machines, {
            "c-controller-0": { address: "10.0.0.9", size: "t3.small", zone: "eu-central-1a" },
        });
        assert.deepEqual(facts.pools, [{ name: "blue", nodes: [], count: { min: 3, max: 6 } }]);
    });

    it("contain the VPC and the droplets on DigitalOcean", () => {
        const recovery = { options: { name: "c" }, machines: { "c-controller-0": "10.0.0.2" } };
        const facts = stackFactsIn(
            exported(
                "DigitalOceanCluster",
                recovery,
                resource<DigitalOceanVpcState>("digitalocean:index/vpc:Vpc", "c", { ipRange: "10.0.0.0/20" }),
                resource<DigitalOceanLoadBalancerState>("digitalocean:index/loadBalancer:LoadBalancer", "c-api", {
                    ip: "198.51.100.7",
                }),
                resource<DropletState>("digitalocean:index/droplet:Droplet", "c-controller-0", {
                    size: "s-2vcpu-4gb",
                    region: "fra1",
                }),
            ),
            "prod",
        );
        assert.deepEqual(
            [facts.cloud, facts.network, facts.apiAddress],
            ["digitalocean", "10.0.0.0/20", "198.51.100.7"],
        );
        assert.deepEqual(facts.machines["c-controller-0"], { address: "10.0.0.2", size: "s-2vcpu-4gb", zone: "fra1" });
    });

    it("contain the API's DNS name if it has no load balancer on DigitalOcean, even if ingress has one", () => {
        const options = { name: "c", domain: "example.com", apiLoadBalancer: false };
        const ingress = resource<DigitalOceanLoadBalancerState>(
            "digitalocean:index/loadBalancer:LoadBalancer",
            "c-ingress",
            { ip: "198.51.100.8" },
        );
        const recovery = { options, machines: {} };
        const facts = stackFactsIn(exported("DigitalOceanCluster", recovery, ingress), "prod");
        assert.deepEqual([facts.apiLoadBalancer, facts.apiAddress], [false, "api.c.example.com"]);
        const balanced = { ...recovery, options: { ...options, apiLoadBalancer: true } };
        const early = stackFactsIn(exported("DigitalOceanCluster", balanced, ingress), "prod");
        assert.deepEqual([early.apiLoadBalancer, early.apiAddress], [true, undefined]);
    });

    it("contain no secrets, and no network that existed before the stack", () => {
        const facts = stackFactsIn(exported("AwsCluster", { options: { name: "c" }, machines: {} }), "prod");
        assert.doesNotMatch(JSON.stringify(facts), /PRIVATE/);
        assert.equal(facts.network, undefined);
    });
});
