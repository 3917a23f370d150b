import assert from "node:assert/strict";
import type { AwsClusterArgs } from "../../../../components/aws/cluster";
import { downloads, dualStack } from "../in-cluster/fixture";
import { testGoldenGraphs } from "../in-cluster/golden-graphs";
import { deployAws } from "./deploy-aws";

const arm64Kubelet = { ...downloads.kubelet, sha256: "3".repeat(64) };

const graphs: Record<string, Partial<AwsClusterArgs>>[] = [
    {
        "one-pool": { workerPools: [{ name: "default" }] },
        "one-controller": { zones: ["a"], controllers: { instanceType: "t3.small" } },
        "three-controllers": { controllers: { count: 3 }, workerPools: [{ name: "default", count: 3 }] },
        "five-controllers-in-two-zones": { zones: ["a", "c"], controllers: { count: 5 } },
        "two-pools": {
            workerPools: [
                { name: "small", count: 2 },
                { name: "large", instanceType: "m7i.2xlarge", diskSize: 200 },
            ],
        },
        candidates: {
            controllers: { count: 3, candidates: ["default"] },
            workerPools: [{ name: "default", count: 2, zones: ["b"] }, { name: "others" }],
            ingress: {},
            cloudController: true,
            nodeApiAccess: "internal",
            inboundRules: [{ protocol: "tcp", ports: "2222", from: "nodes", to: "controllers" }],
        },
        ingress: { workerPools: [{ name: "default" }], ingress: {} },
        "ingress-of-one-pool-for-few-clients": {
            workerPools: [{ name: "default" }, { name: "edge" }],
            ingress: {
                httpPort: 30080,
                httpsPort: 30443,
                healthCheck: { port: 10254, path: "/healthz" },
                pools: ["edge"],
                allowedCidrs: ["192.0.2.0/24", "198.51.100.7/32"],
            },
        },
        "spot-and-mixed-pools": {
            workerPools: [
                { name: "spot", spot: {} },
                {
                    name: "mixed",
                    count: 3,
                    instanceTypes: ["m7i.large", "m6i.large", "m6a.large"],
                    spot: { onDemandBase: 2 },
                },
                { name: "any", instanceTypes: ["m7i.large", "m6i.large"] },
            ],
        },
        "pool-that-scales-and-is-refreshed": {
            workerPools: [
                {
                    name: "default",
                    min: 1,
                    max: 10,
                    labels: { "example.com/gpu": "a100" },
                    taints: ["gpu=yes:NoSchedule"],
                    instanceRefresh: { minHealthyPercentage: 90, maxHealthyPercentage: 120, warmup: "90s" },
                },
            ],
        },
        "pools-of-two-architectures": {
            controllers: { instanceType: "t4g.medium" },
            downloads: { ...downloads, arm64: { cniPlugins: downloads.cniPlugins, kubelet: arm64Kubelet } },
            workerPools: [
                { name: "arm", instanceType: "m7g.large" },
                { name: "amd", image: "ami-0fedcba9876543210" },
            ],
        },
        "cloud-controllers": {
            cloudController: true,
            csiDriver: true,
            autoscaler: true,
            workerPools: [{ name: "default", min: 1, max: 3 }],
        },
        "volume-snapshots": { csiDriver: true, volumeSnapshots: true },
        "empty-pool": { zones: ["b"], workerPools: [{ name: "default", count: 0 }] },
        "internal-api-in-a-private-zone": { zones: ["a"], apiAccess: "internal", privateZone: "ZTHEIRS" },
        ipv6: { ipv6: true, workerPools: [{ name: "default" }], ingress: {} },
        "dual-stack": {
            ipv6: true,
            network: dualStack,
            cloudController: true,
            zones: ["a"],
            workerPools: [{ name: "default" }],
        },
        "snapshot-bucket": { zones: ["a"], snapshotBucket: { name: "acme-c-snapshots" } },
        "cloud-init": { os: "cloud-init", image: "ami-0fedcba9876543210", workerPools: [{ name: "default" }] },
        "small-network-elsewhere": { region: "us-east-1", vpcCidr: "172.20.4.0/24", image: "ami-0fedcba9876543210" },
    },
    {
        "private-nodes-behind-one-gateway": {
            topology: "private",
            natGateways: "one",
            workerPools: [{ name: "default" }],
        },
        "private-nodes": { topology: "private", controllers: { count: 3 }, workerPools: [{ name: "default" }] },
        "private-nodes-for-few-clients": {
            topology: "private",
            zones: ["a", "b"],
            apiAllowedCidrs: ["192.0.2.0/24"],
        },
        "internal-api-of-private-nodes-in-a-zone-of-its-own": {
            topology: "private",
            zones: ["a", "b"],
            apiAccess: "internal",
            privateZone: "own",
            apiAllowedCidrs: ["192.0.2.0/24", "10.0.0.0/16"],
            workerPools: [{ name: "default" }],
            ingress: {},
        },
        "no-way-out": {
            topology: "private",
            zones: ["a", "b"],
            natGateways: "none",
            apiAccess: "internal",
            privateZone: "own",
            workerPools: [{ name: "default" }],
        },
        "no-way-out-with-clouds-controllers": {
            topology: "private",
            natGateways: "none",
            vpcEndpoints: ["ecr.api", "ecr.dkr"],
            apiAccess: "internal",
            cloudController: true,
            csiDriver: true,
            autoscaler: true,
            workerPools: [{ name: "default", min: 1, max: 3 }],
        },
        "ipv6-of-private-nodes-for-few-clients": {
            ipv6: true,
            topology: "private",
            natGateways: "one",
            zones: ["a", "b"],
            apiAllowedCidrs: ["192.0.2.0/24"],
            workerPools: [{ name: "default" }],
        },
    },
    {
        "existing-public-subnets": {
            vpcId: "vpc-0123456789abcdef0",
            vpcCidr: "10.40.0.0/16",
            subnetIds: ["subnet-a000000a", "subnet-a000000b"],
            controllers: { count: 3 },
            workerPools: [{ name: "default" }],
        },
        "existing-private-subnets": {
            vpcId: "vpc-0123456789abcdef0",
            vpcCidr: "10.40.0.0/16",
            topology: "private",
            subnetIds: ["subnet-b000000a", "subnet-b000000b"],
            loadBalancerSubnetIds: ["subnet-a000000a", "subnet-a000000b"],
            apiAllowedCidrs: ["192.0.2.0/24"],
            workerPools: [{ name: "default" }],
        },
        "internal-api-in-existing-subnets": {
            vpcId: "vpc-0123456789abcdef0",
            vpcCidr: "10.40.0.0/16",
            topology: "private",
            apiAccess: "internal",
            privateZone: "ZTHEIRS",
            subnetIds: ["subnet-b000000a", "subnet-b000000b"],
        },
        "ipv6-in-existing-subnets": {
            ipv6: true,
            vpcId: "vpc-0123456789abcdef0",
            vpcCidr: "10.40.0.0/16",
            apiAccess: "internal",
            subnetIds: ["subnet-c000000a", "subnet-c000000b"],
        },
    },
];

describe("the resources of a cluster on AWS", function () {
    this.timeout(60_000);

    it("do not grow with the number of nodes", async () => {
        const typesWith = async (count: number) => {
            const network = { podCidr: "10.16.0.0/12", serviceCidr: "172.20.0.0/16" };
            const { resources } = await deployAws({ network, workerPools: [{ name: "a", count }] });
            return resources.map(({ type }) => type).sort();
        };
        assert.deepEqual(await typesWith(1000), await typesWith(2));
    });

    testGoldenGraphs({ cloud: "aws", folder: __dirname, deploy: deployAws, graphs });
});
