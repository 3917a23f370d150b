import assert from "node:assert/strict";
import { autoscalerFlags } from "../../../../cluster/manifests/addons/cluster-autoscaler";
import type { NetworkOptions } from "../../../../cluster/options";
import { machineGroups, nodeGroups } from "../../../../components/aws/machines/machine-groups";
import type { AwsOptions } from "../../../../components/aws/options";
import { resolveAws } from "../../../../components/aws/resolve";
import { clusterOptions } from "../../../../components/aws/shared-options";
import { dualStack } from "../in-cluster/fixture";

type Options = Omit<AwsOptions, "downloads">;
const least: Options = { domain: "example.com", region: "eu-central-1" };
const option = "image";
const brought = { vpcId: "vpc-01234567", vpcCidr: "10.40.0.0/16", subnetIds: ["subnet-01234567"] };
const medium = {
    instanceType: "t3.medium",
    architecture: "amd64",
    policies: [],
    image: { distribution: "flatcar", channel: "stable", option },
} as const;

describe("the options of a cluster on AWS", () => {
    it("have a default each", () => {
        const { cluster, aws } = resolveAws("c", least);
        assert.equal(cluster.apiName, "api.c.example.com");
        assert.deepEqual(cluster.workerPools, []);
        const { vpcCidr, ...rest } = aws;
        assert.equal(vpcCidr.text, "10.0.0.0/16");
        assert.deepEqual(rest, {
            region: "eu-central-1",
            os: "ignition",
            zones: ["a", "b", "c"],
            topology: "public",
            natGateways: "one-per-zone",
            vpcEndpoints: [],
            s3Endpoint: false,
            apiAccess: "public",
            apiHealthCheck: "https",
            nodeApiAccess: "shared",
            cloudController: false,
            csiDriver: false,
            volumeSnapshots: false,
            autoscaler: false,
            hasServingApprover: true,
            hasRepairer: false,
            autoscalerFlags: autoscalerFlags({}, ""),
            inboundRules: [],
            ipv6: false,
            recreate: [],
            instances: { controller: { ...medium, disk: { type: "gp3", size: 30 } } },
            pools: {},
            candidatePools: {},
            etcdDisk: { type: "gp3", size: 20 },
            ecrPulls: false,
            tags: {},
        });
    });

    it("have an internal way of nodes to the API, and to S3, where they would depend on NAT gateways or be among its clients", () => {
        const of = (options: object) => {
            const { nodeApiAccess, s3Endpoint } = resolveAws("c", { ...least, ...options }).aws;
            return [nodeApiAccess, s3Endpoint];
        };
        assert.deepEqual(of({ topology: "private" }), ["internal", true]);
        assert.deepEqual(of({ topology: "private", nodeApiAccess: "shared", s3Endpoint: false }), ["shared", false]);
        assert.deepEqual(of({ topology: "private", apiAccess: "internal" }), ["shared", true]);
        assert.deepEqual(of({ apiAllowedCidrs: ["192.0.2.0/24"] }), ["internal", false]);
        const theirs = { vpcId: "vpc-0123456789abcdef0", vpcCidr: "10.40.0.0/16", subnetIds: ["subnet-a000000a"] };
        const brought = { ...theirs, loadBalancerSubnetIds: theirs.subnetIds, topology: "private" };
        assert.deepEqual(of(brought), ["shared", false]);
        assert.deepEqual(of({ ...brought, nodeApiAccess: "internal" }), ["internal", false]);
    });

    it("have AWS' gallery as a mirror of Docker Hub, unless there is another one or no way to it", () => {
        const of = (options: object) => {
            const { defaultMirrors, registryMirrors } = resolveAws("c", { ...least, ...options }).cluster;
            return [defaultMirrors, registryMirrors].map((mirrors) => mirrors?.flatMap(({ urls }) => urls));
        };
        const gallery = ["https://public.ecr.aws/v2/docker"];
        assert.deepEqual(of({}), [gallery, undefined]);
        assert.deepEqual(of({ registryMirrors: [] }), [undefined, []]);
        const isolated = { topology: "private", natGateways: "none", apiAccess: "internal" };
        assert.deepEqual(of(isolated), [undefined, undefined]);
    });

    it("have an autoscaler only if a pool scales, with the cloud controller", () => {
        const scaling = { ...least, autoscaler: true, workerPools: [{ name: "a", min: 1, max: 3 }] };
        assert.equal(resolveAws("c", { ...scaling, cloudController: true }).aws.autoscaler, true);
        assert.throws(() => resolveAws("c", scaling), {
            message: "autoscaler requires cloudController (got true)",
        });
        assert.throws(() => resolveAws("c", { ...scaling, cloudController: true, workerPools: [{ name: "a" }] }), {
            message: "autoscaler requires a pool with min and max (got true)",
        });
        assert.throws(() => resolveAws("c", { ...least, clusterAutoscaler: { expander: "random" } }), {
            message: 'clusterAutoscaler requires autoscaler (got {"expander":"random"})',
        });
    });

    it("have an agent that looks up instances in EC2 if kubelet certificates are issued by the cluster", () => {
        const { aws } = resolveAws("c", { ...least, certificates: { kubeletServing: "issued" } });
        assert.equal(aws.hasServingApprover, true);
    });

    it("refuse a flag that the version does not have", () => {
        const components = { kubelet: { "max-pod": "1" } };
        assert.throws(
            () => resolveAws("c", { ...least, components }),
            /max-pod must be a flag of kubelet 1\.\d+ \(got/,
        );
    });

    it("give pods and Services unique local addresses by IPv6, if nodes have IPv6", () => {
        const of = (network: NetworkOptions, ipv6?: boolean) => resolveAws("c", { ...least, network, ipv6 });
        assert.equal(of(dualStack, true).cluster.network.podCidr6?.text, "fd00:10:2::/56");
        const legal = "of unique local addresses (fd00::/8), and apart from AWS' own fd00:ec2::/32";
        const wrong: [NetworkOptions, string][] = [
            [{ podCidr6: "2001:db8::/56" }, `network.podCidr6 must be ${legal} (got 2001:db8::/56)`],
            [{ podCidr6: "fc00:1::/56" }, `network.podCidr6 must be ${legal} (got fc00:1::/56)`],
            [{ serviceCidr6: "fd00:ec2::/112" }, `network.serviceCidr6 must be ${legal} (got fd00:ec2::/112)`],
            [{ cni: "kube-router" }, "network.podCidr6 conflicts with network.cni kube-router (got fd00:10:2::/56)"],
        ];
        for (const [network, message] of wrong) {
            assert.throws(() => of({ ...dualStack, ...network }, true), { message });
        }
        for (const ipv6 of [undefined, false]) {
            assert.throws(() => of(dualStack, ipv6), {
                message: "network.podCidr6 requires ipv6, so that nodes reach each other (got fd00:10:2::/56)",
            });
        }
    });

    it("have kube-router only with an image that can make its tunnels", () => {
        const of = (options: object) => resolveAws("c", { ...least, ...options }).cluster;
        const network = { cni: "kube-router" };
        assert.throws(() => of({ network }), {
            message: "network.cni kube-router on AWS requires images.kubeRouter: an image of it with the command nft",
        });
        const kubeRouter = "registry.example.com/kube-router:v2.1.0-nft";
        assert.equal(of({ network, images: { kubeRouter } }).images.kubeRouter, kubeRouter);
        assert.equal(of({ network: { cni: "none" } }).network.cni, "none");
    });

    it("give each pool its instances", () => {
        const { aws } = resolveAws("c", {
            ...least,
            controllers: { count: 3, instanceType: "m7i.large" },
            workerPools: [{ name: "a", diskSize: 100 }, { name: "b" }],
        });
        assert.deepEqual(aws.instances, {
            controller: { ...medium, instanceType: "m7i.large", disk: { type: "gp3", size: 30 } },
            a: { ...medium, disk: { type: "gp3", size: 100 } },
            b: { ...medium, disk: { type: "gp3", size: 30 } },
        });
    });

    it("derive architectures from instance types, and allow an image per pool", () => {
        const ami = "ami-0123456789abcdef0";
        const { instances } = resolveAws("c", {
            ...least,
            controllers: { instanceType: "t4g.small" },
            workerPools: [{ name: "a", instanceTypes: ["m7g.large", "m6gd.large"], image: ami }],
        }).aws;
        assert.deepEqual([instances.controller!.architecture, instances.a!.architecture], ["arm64", "arm64"]);
        assert.deepEqual(instances.a!.image, { id: ami, option: "workerPools[0].image" });
        assert.equal(instances.a!.instanceType, "m7g.large");
    });

    it("give a pool that scales as many nodes as it has at first, and room for all", () => {
        const scaled = (more: object) =>
            resolveAws("c", { ...least, workerPools: [{ name: "a", min: 2, max: 200, ...more }] });
        assert.equal(scaled({}).cluster.workerPools[0]!.nodes.length, 2);
        assert.equal(scaled({ count: 5 }).cluster.workerPools[0]!.nodes.length, 5);
        assert.deepEqual(scaled({}).aws.pools.a!.scaling, { min: 2, max: 200 });
        assert.throws(() => scaled({ max: 300 }), /^Error: network\.podCidr must be \/15 or larger for 301 nodes/);
        const masked = (size: string) => {
            const components = { kubeControllerManager: { "node-cidr-mask-size": size } };
            return resolveAws("c", { ...least, components, workerPools: [{ name: "a", min: 2, max: 200 }] });
        };
        masked("25");
        assert.throws(
            () => masked("23"),
            /node-cidr-mask-size must be between 24 and 25, for 201 nodes in .* \(got 23\)/,
        );
        const few = { ...least, vpcCidr: "10.9.0.0/24", zones: ["a"] };
        const many = { ...few, workerPools: [{ name: "a", min: 0, max: 5 }] };
        assert.throws(() => resolveAws("c", many), /^Error: vpcCidr must be large enough for 6 nodes in 1 zones/);
    });

    it("leave room for an endpoint and the load balancer in a full network", () => {
        const full = { ...least, vpcCidr: "10.9.0.0/24", zones: ["a"], workerPools: [{ name: "a", count: 2 }] };
        const noWayOut = { ...full, topology: "private", apiAccess: "internal", natGateways: "none" };
        assert.doesNotThrow(() => resolveAws("c", noWayOut));
        assert.throws(() => resolveAws("c", { ...noWayOut, vpcEndpoints: ["ssm"] }), /large enough for 3 nodes and 1/);
    });

    it("leave to every cloud what all share", () => {
        const options = {
            ...least,
            zones: ["a"],
            tags: { team: "x" },
            controllers: { count: 3, instanceType: "x", diskSize: 10, etcdDiskSize: 10 },
            workerPools: [{ name: "a", instanceType: "x" }],
        };
        assert.deepEqual(clusterOptions(options), {
            domain: "example.com",
            osReboots: { windows: ["Sun 02:00-05:00"] },
            controllers: { count: 3 },
            workerPools: [{ name: "a" }],
            workersJoinLast: true,
        });
    });

    const refused: [string, Partial<Options>, RegExp][] = [
        ["a region that is none", { region: "Frankfurt" }, /^region must be a region code, such as eu-central-1 \(got/],
        [
            "a zone's whole name",
            { zones: ["eu-central-1a"] },
            /^zones\[0\] must be one of a, b, .* \(got eu-central-1a\)$/,
        ],
        ["a zone twice", { zones: ["a", "a"] }, /^zones\[1\] must not be listed twice \(got a\)$/],
        [
            "a disk without room for etcd",
            { controllers: { etcdDiskSize: 9 } },
            /^controllers\.etcdDiskSize must be a whole number of GiB from 10 to 16384 \(got 9\)$/,
        ],
        ["no zone", { zones: [] }, /^zones must not be empty$/],
        [
            "an image with Ignition for cloud-init",
            { os: "cloud-init" },
            /^image must be an AMI id with os cloud-init \(got flatcar-stable\)$/,
        ],
        [
            "an image with Ignition for cloud-init, of a pool",
            { os: "cloud-init", image: "ami-0123456789abcdef0", workerPools: [{ name: "a", image: "flatcar-beta" }] },
            /^workerPools\[0\]\.image must be an AMI id with os cloud-init \(got flatcar-beta\)$/,
        ],
        ["an OS that is none", { os: "windows" }, /^os must be .*ignition.*cloud-init.* \(got windows\)$/],
        ["an image that is none", { image: "ubuntu" }, /^image must be an AMI id, such as .* \(got ubuntu\)$/],
        ["a topology that is none", { topology: "dark" }, /^topology must be one of public, private \(got dark\)$/],
        ["NAT gateways of public nodes", { natGateways: "one" }, /^natGateways requires topology private \(got one\)$/],
        [
            "limits on the API's clients with public nodes, which are among them",
            { apiAllowedCidrs: ["192.0.2.0/24"], nodeApiAccess: "shared" },
            /^apiAllowedCidrs requires topology private, or nodeApiAccess or apiAccess internal, because public nodes reach a public API from addresses that AWS assigns to each when it starts \(got \["192\.0\.2\.0\/24"\]\)$/,
        ],
        [
            "a way of nodes to the API that is none",
            { nodeApiAccess: "public" },
            /^nodeApiAccess must be one of shared, internal \(got public\)$/,
        ],
        [
            "another way of nodes to an internal API",
            { apiAccess: "internal", nodeApiAccess: "internal" },
            /^nodeApiAccess conflicts with apiAccess internal \(got internal\)$/,
        ],
        [
            "an S3 endpoint in a VPC with route tables of its own",
            {
                vpcId: "vpc-0123456789abcdef0",
                vpcCidr: "10.40.0.0/16",
                subnetIds: ["subnet-a000000a"],
                s3Endpoint: true,
            },
            /^s3Endpoint conflicts with vpcId \(got true\)$/,
        ],
        [
            "no S3 endpoint where there is no other way",
            { topology: "private", apiAccess: "internal", natGateways: "none", s3Endpoint: false },
            /^s3Endpoint conflicts with natGateways none, which always has this endpoint \(got false\)$/,
        ],
        [
            "no room for a second load balancer next to nodes",
            { vpcCidr: "10.9.0.0/24", zones: ["a"], workerPools: [{ name: "a", count: 2 }], nodeApiAccess: "internal" },
            /^vpcCidr must be large enough for 3 nodes and two load balancers in 1 zones \(got 10\.9\.0\.0\/24\)$/,
        ],
        [
            "a public API of nodes that do not get out",
            { topology: "private", natGateways: "none" },
            /^apiAccess must be internal with natGateways none, because nodes cannot reach a public API \(got public\)$/,
        ],
        [
            "endpoints and NAT gateways",
            { topology: "private", vpcEndpoints: ["ssm"] },
            /^vpcEndpoints requires natGateways none \(got \["ssm"\]\)$/,
        ],
        [
            "endpoints of what is no service",
            { topology: "private", apiAccess: "internal", natGateways: "none", vpcEndpoints: ["ssm", "ECR"] },
            /^vpcEndpoints\[1\] must be the end of a service name, such as ecr\.api for .* \(got ECR\)$/,
        ],
        [
            "no room for endpoints next to nodes",
            {
                ...{ topology: "private", apiAccess: "internal", natGateways: "none", cloudController: true },
                ...{ vpcCidr: "10.9.0.0/24", zones: ["a"], workerPools: [{ name: "a" }] },
            },
            /^vpcCidr must be large enough for 2 nodes and 2 endpoints in 1 zones \(got 10\.9\.0\.0\/24\)$/,
        ],
        [
            "IPv6 where nothing gets out",
            { topology: "private", apiAccess: "internal", natGateways: "none", ipv6: true },
            /^ipv6 conflicts with natGateways none \(got true\)$/,
        ],
        ["an API that is nowhere", { apiAccess: "dark" }, /^apiAccess must be one of public, internal \(got dark\)$/],
        [
            "a private zone for a public API",
            { privateZone: "own" },
            /^privateZone requires apiAccess internal \(got own\)$/,
        ],
        [
            "a private zone that is none",
            { apiAccess: "internal", privateZone: "example.com" },
            /^privateZone must be own or a hosted zone id, such as Z0123456789 \(got example\.com\)$/,
        ],
        ["no clients of the API", { topology: "private", apiAllowedCidrs: [] }, /^apiAllowedCidrs must not be empty$/],
        [
            "an unknown number of NAT gateways",
            { topology: "private", natGateways: "two" },
            /^natGateways must be one of one-per-zone, one, none \(got two\)$/,
        ],
        [
            "an instance type that is none",
            { controllers: { instanceType: "large" } },
            /^controllers\.instanceType must be an instance type, such as t3\.medium \(got large\)$/,
        ],
        [
            "controllers on which etcd's volume would not be found",
            { controllers: { instanceType: "t2.small" } },
            /^controllers\.instanceType must be of the Nitro system, such as t3\.medium \(got t2\.small\)$/,
        ],
        [
            "too small a disk",
            { workerPools: [{ name: "a", diskSize: 5 }] },
            /^workerPools\[0\]\.diskSize must be a whole number of GiB from 10 to 16384 \(got 5\)$/,
        ],
        ["public addresses for the VPC", { vpcCidr: "192.0.2.0/24" }, /^vpcCidr must be .* \(RFC 1918\) \(got/],
        ["too small a VPC", { vpcCidr: "10.0.0.0/25" }, /^vpcCidr must be a block of \/16 to \/24 from/],
        ["pods' addresses", { vpcCidr: "10.2.0.0/20" }, /^vpcCidr must not overlap network\.podCidr 10\.2\.0\.0\/16/],
        [
            "more nodes than a zone's subnet has room for",
            { vpcCidr: "10.9.0.0/24", zones: ["a"], workerPools: [{ name: "a", count: 3 }] },
            /^vpcCidr must be large enough for 4 nodes in 1 zones \(got 10\.9\.0\.0\/24\)$/,
        ],
        [
            "a tag of AWS's own",
            { tags: { "aws:x": "y" } },
            /^a key of tags must be a tag key that AWS accepts \(got aws:x\)$/,
        ],
        ...["Name", "tradewind.dev/cluster", "kubernetes.io/cluster/c"].map(
            (key): [string, Partial<Options>, RegExp] => [
                `the tag ${key}, which the stack sets`,
                { tags: { [key]: "y" } },
                /^a key of tags must not be one of Name, tradewind\.dev\/cluster, kubernetes\.io\/cluster\/c, .* \(got /,
            ],
        ),
        [
            "too long a name of a pool",
            { workerPools: [{ name: "a".repeat(28) }] },
            /^workerPools\[0\]\.name must be at most 27 characters long \(got a{28}\)$/,
        ],
        [
            "subnets without a VPC",
            { subnetIds: ["subnet-01234567"] },
            /^subnetIds requires vpcId \(got \["subnet-01234567"\]\)$/,
        ],
        ["zones of a VPC that is there", { ...brought, zones: ["a"] }, /^zones conflicts with vpcId \(got \["a"\]\)$/],
        [
            "NAT gateways in a VPC that is there",
            { ...brought, topology: "private", natGateways: "one" },
            /^natGateways conflicts with vpcId \(got one\)$/,
        ],
        ["a VPC that is none", { ...brought, vpcId: "vpc" }, /^vpcId must be a VPC id, such as .* \(got vpc\)$/],
        [
            "a VPC without its block",
            { ...brought, vpcCidr: undefined },
            /^vpcId requires vpcCidr: the IPv4 block of the VPC$/,
        ],
        ["a VPC without subnets", { ...brought, subnetIds: [] }, /^subnetIds must not be empty$/],
        [
            "a subnet twice",
            { ...brought, subnetIds: ["subnet-01234567", "subnet-01234567"] },
            /^subnetIds\[1\] must not be listed twice \(got subnet-01234567\)$/,
        ],
        [
            "private subnets, and none for the load balancer",
            { ...brought, topology: "private" },
            /^loadBalancerSubnetIds must not be empty$/,
        ],
        [
            "one AMI for two architectures",
            {
                image: "ami-0123456789abcdef0",
                workerPools: [{ name: "a", instanceType: "c7gn.large" }],
            },
            /^image conflicts with t3\.medium \(amd64\) and c7gn\.large \(arm64\), because an AMI has one architecture: set it per pool \(got ami-0123456789abcdef0\)$/,
        ],
        [
            "an image that is none, of a pool",
            { workerPools: [{ name: "a", image: "x" }] },
            /^workerPools\[0\]\.image must be an AMI id, .* \(got x\)$/,
        ],
        [
            "an instance type that is none, among several",
            { workerPools: [{ name: "a", instanceTypes: ["t3.medium", "large"] }] },
            /^workerPools\[0\]\.instanceTypes\[1\] must be an instance type, such as t3\.medium \(got large\)$/,
        ],
        ["two controllers", { controllers: { count: 2 } }, /^controllers\.count must be 1, 3 or 5, or 2 with/],
    ];
    for (const [what, options, message] of refused) {
        it(`refuse ${what}`, () => {
            assert.throws(() => resolveAws("c", { ...least, ...options }), { message });
        });
    }

    for (const os of ["ignition", "cloud-init"] as const) {
        it(`refuse a host name in a snippet of a pool with ${os}, and take one of controllers, which have names`, () => {
            const file = { path: "/etc/hostname", contents: { source: "data:,web" } };
            const snippets = [JSON.stringify({ ignition: { version: "3.5.0" }, storage: { files: [file] } })];
            const image = "ami-0123456789abcdef0";
            const all = { ...least, os, ...(os === "cloud-init" && { image }) };
            assert.throws(
                () => resolveAws("c", { ...all, workerPools: [{ name: "a" }, { name: "b", snippets }] }),
                /^Error: workerPools\[1\]\.snippets\[0\] must not set a host name, because .* pool b .* \(got the file \/etc\/hostname\)$/,
            );
            resolveAws("c", { ...all, controllers: { snippets } });
            resolveAws("c", { ...all, controllers: { candidates: ["b"] }, workerPools: [{ name: "b", snippets }] });
        });
    }

    const withCandidates = (pool: object, more: object = {}) =>
        resolveAws("c", {
            ...least,
            controllers: { count: 3, candidates: ["a"] },
            workerPools: [{ name: "a", ...pool }, { name: "b" }],
            ...more,
        });

    it("have no group of a pool of candidates, whose nodes the stack names", () => {
        const { aws } = withCandidates({ count: 2, zones: ["b"] }, { recreate: ["c-a-1"] });
        assert.deepEqual(Object.keys(aws.pools), ["b"]);
        assert.deepEqual(Object.keys(aws.candidatePools), ["a"]);
        assert.deepEqual(aws.candidatePools.a!.zones, ["b"]);
        assert.deepEqual(aws.recreate, ["c-a-1"]);
        assert.deepEqual(machineGroups("c", aws)!.max, { b: 2 });
        assert.deepEqual(nodeGroups(aws).desired, ["b"]);
    });

    const onlyForGroups: Readonly<Record<string, [pool: object, message: RegExp]>> = {
        "spot instances": [
            { spot: {} },
            /^workerPools\[0\]\.spot conflicts with controllers\.candidates \(got \{\}\)$/,
        ],
        "a size that an autoscaler sets": [
            { min: 1, max: 2 },
            /^workerPools\[0\]\.min conflicts with controllers\.candidates \(got 1\)$/,
        ],
        "several types": [
            { instanceTypes: ["t3.medium"] },
            /^workerPools\[0\]\.instanceTypes conflicts with controllers\.candidates \(got \["t3\.medium"\]\)$/,
        ],
        "a refresh": [
            { instanceRefresh: {} },
            /^workerPools\[0\]\.instanceRefresh conflicts with controllers\.candidates \(got \{\}\)$/,
        ],
        "two groups more than an interface can have": [
            {},
            /^securityGroupIds must be at most two with controllers\.candidates \(got 3\)$/,
        ],
    };
    for (const [what, [pool, message]] of Object.entries(onlyForGroups)) {
        it(`refuse ${what} of candidates`, () => {
            const groups = [0, 1, 2].map((each) => `sg-0123456789abcdef${each}`);
            const more = Object.keys(pool).length > 0 ? {} : { ...brought, securityGroupIds: groups };
            assert.throws(() => withCandidates(pool, more), { message });
        });
    }

    it("refuse a name that security groups may not have", () => {
        const message = /^the cluster name must be .*, and not start with internal- or sg- \(got sg-c\)$/;
        assert.throws(() => resolveAws("sg-c", least), { message });
    });

    it("refuse a name that is too long for what AWS calls after it", () => {
        const message = /^the cluster name must be at most 26 characters long, .* \(got c{27}\)$/;
        assert.throws(() => resolveAws("c".repeat(27), least), { message });
    });
});
