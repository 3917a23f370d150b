import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import * as pulumi from "@pulumi/pulumi";
import type { Delivery } from "../../../../agents/bootstrap-sender/delivery";
import type { AwsCluster } from "../../../../components/aws/cluster";
import { configHash } from "../../../../components/aws/machines/user-data";
import { diffable, parse } from "../../../../ignition";
import { types } from "../../../../simulator/clouds/aws/types";
import { type Deployed, resolved } from "../../deploy";
import { downloads } from "../in-cluster/fixture";
import { unpacked } from "../in-cluster/unpacked";
import { deployAws as create } from "./deploy-aws";

describe("a cluster on AWS, of three controllers and two pools,", function () {
    this.timeout(60_000);
    let cluster: AwsCluster;
    let resources: Deployed[];
    const named = (name: string, type = "") =>
        resources.find((resource) => resource.name === name && resource.type.includes(type))!;
    const ofType = (type: string) => resources.filter((each) => each.type.endsWith(`:${type}`));
    const decoded = (base64: string) => Buffer.from(base64, "base64").toString();

    before(async () => {
        const workerPools = [
            { name: "a", count: 4 },
            { name: "b", instanceType: "m7i.large", diskSize: 100 },
        ];
        ({ result: cluster, resources } = await create({ controllers: { count: 3 }, workerPools }));
    });

    it("is in zones that the account has in the region", async () => {
        await assert.rejects(create({ zones: ["a", "e"] }), (error: Error) => {
            assert.equal(
                error.message,
                'zones must be from a, b, c, d, f, g, h, the zones of this account in eu-central-1 (got ["a","e"])',
            );
            return true;
        });
        const elsewhere = create({ region: "eu-west-1", image: "ami-0123456789abcdef0" });
        await assert.rejects(elsewhere, /^Error: region must be the region of the AWS provider/);
    });

    it("is of types that the simulator checks", () => {
        const used = resources.map(({ type }) => type).filter((type) => type.startsWith("aws:"));
        assert.deepEqual(
            used.filter((type) => !types[type]),
            [],
        );
    });

    it("remembers the AMI that was looked up until the option changes", () => {
        const { opts, inputs } = named("c-image-flatcar-stable", "Command");
        assert.equal(inputs.create, "echo ami-0123456789abcdef0");
        assert.deepEqual(opts.ignoreChanges, ["create"]);
        for (const { inputs: each } of ofType("Instance")) assert.equal(each.ami, "ami-0123456789abcdef0");
        for (const { inputs: each } of ofType("LaunchTemplate")) assert.equal(each.imageId, "ami-0123456789abcdef0");
    });

    it("hides its machines' metadata from pods, and encrypts every volume", () => {
        for (const { inputs } of [...ofType("Instance"), ...ofType("LaunchTemplate")]) {
            const { httpTokens, httpPutResponseHopLimit } = inputs.metadataOptions;
            assert.deepEqual([httpTokens, httpPutResponseHopLimit], ["required", 1]);
            // The account's defaults are not inherited: with tags in the metadata, EC2 refuses the cluster's tag.
            const { httpProtocolIpv6, instanceMetadataTags } = inputs.metadataOptions;
            assert.deepEqual([httpProtocolIpv6, instanceMetadataTags], ["disabled", "disabled"]);
        }
        for (const { inputs } of ofType("Instance")) assert.equal(inputs.rootBlockDevice.encrypted, true);
    });

    it("writes the volume's id where an instance reads it at boot, so that a lost one can be replaced", () => {
        const { inputs, opts } = named("c-controller-1-etcd", "BucketObjectv2");
        assert.equal(inputs.content, "/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_ccontroller-1-etcd-id\n");
        assert.equal(opts.ignoreChanges, undefined);
        const { storage } = parse(named("c-controller-1-config").inputs.content);
        const told = storage!.files!.find(({ path }) => path === "/etc/tradewind/etcd-disk")!;
        assert.equal(told.contents!.source, `s3://c-configs-id/${inputs.key}`);
        assert.match(named("c-a-config").inputs.content, /^(?!.*etcd-disk)/s);
    });

    it("has user-data that is a pointer to a config and its hash, and no secret", () => {
        const texts = [
            ...ofType("Instance").map(({ name, inputs, secretInputs }) => ({
                name,
                text: inputs.userData,
                secretInputs,
            })),
            ...ofType("LaunchTemplate").map(({ name, inputs, secretInputs }) => ({
                name,
                text: decoded(inputs.userData),
                secretInputs,
            })),
        ];
        assert.equal(texts.length, 5);
        for (const { name, text, secretInputs } of texts) {
            assert.deepEqual(secretInputs, [], name);
            const { key, content } = named(`${name}-config`).inputs;
            const { replace } = parse(text).ignition.config!;
            assert.equal(replace!.source, `s3://c-configs-id/${key}`);
            assert.equal(replace!.verification!.hash, `sha512-${configHash(content)}`);
        }
    });

    it("allows each pool to read its own configs and terminate drained instances of its own group, and nothing else", () => {
        for (const pool of ["controller", "a", "b"]) {
            const { Statement } = JSON.parse(named(`c-${pool}`, "RolePolicy").inputs.policy);
            const Resource = `arn:aws:s3:::c-configs/nodes/${pool}/*`;
            const group = `arn:aws:autoscaling:eu-central-1:*:autoScalingGroup:*:autoScalingGroupName/c-${pool}`;
            const Action = ["autoscaling:CompleteLifecycleAction"];
            assert.deepEqual(Statement, [
                { Effect: "Allow", Action: "s3:GetObject", Resource },
                ...(pool === "controller" ? [] : [{ Effect: "Allow", Action, Resource: [group] }]),
            ]);
        }
        const folders = ofType("BucketObjectv2").map(({ inputs }) => inputs.key.split("/").slice(0, 2).join("/"));
        assert.deepEqual([...new Set(folders)].sort(), ["nodes/a", "nodes/b", "nodes/controller"]);
    });

    it("waits for the bootstrap assets on its first controller only", () => {
        const receivers = ofType("BucketObjectv2").filter(({ inputs }) =>
            inputs.content.includes("bootstrap-receiver.service"),
        );
        assert.deepEqual(
            receivers.map(({ name }) => name),
            ["c-controller-0-config"],
        );
    });

    it("names its controllers, and leaves workers the names that AWS gives", () => {
        const unitOf = (name: string) => diffable(parse(named(name).inputs.content))["kubelet.service"]!;
        assert.match(unitOf("c-controller-0-config"), /--hostname-override=c-controller-0 /);
        assert.doesNotMatch(unitOf("c-a-config"), /--hostname-override/);
        assert.match(unitOf("c-a-config"), /--node-ip=10\.0\.0\.0\/16/);
    });

    it("opens to everybody its load balancer's port, and nothing else", () => {
        const open = ofType("SecurityGroupIngressRule").filter(({ inputs }) => inputs.cidrIpv4 !== undefined);
        assert.deepEqual(
            open.map(({ inputs }) => [inputs.securityGroupId, inputs.ipProtocol, inputs.fromPort, inputs.toPort]),
            [["c-load-balancer-id", "tcp", 6443, 6443]],
        );
    });

    it("tags everything that takes tags", () => {
        const tagged = resources.filter(({ type, inputs }) => type.startsWith("aws:") && inputs.tags !== undefined);
        const untagged = resources.filter(({ type, inputs }) => type.startsWith("aws:") && inputs.tags === undefined);
        for (const { name, inputs } of tagged) {
            const tags = Array.isArray(inputs.tags)
                ? Object.fromEntries(inputs.tags.map(({ key, value }: { key: string; value: string }) => [key, value]))
                : inputs.tags;
            assert.equal(tags["tradewind.dev/cluster"], "c", name);
            assert.equal(tags.team, "infra", name);
        }
        assert.deepEqual([...new Set(untagged.map(({ type }) => type.split(":").at(-1)))].sort(), [
            "BucketPublicAccessBlock",
            "BucketServerSideEncryptionConfiguration",
            "LifecycleHook",
            "Record",
            "RolePolicy",
            "Route",
            "RouteTableAssociation",
            "TargetGroupAttachment",
            "VolumeAttachment",
        ]);
    });

    it("is started by one resource that has the target and the assets, as secrets", () => {
        const { inputs, secretInputs, dependsOn } = named("c-bootstrap", "Command");
        const { assets, ...delivery }: Delivery = JSON.parse(unpacked(inputs.stdin));
        assert.deepEqual(
            [delivery.server, delivery.receiver],
            ["https://api.c.example.com:6443", "bootstrap.c.example.com"],
        );
        assert.match(delivery.console!.byHand, /get-console-output --region eu-central-1 --instance-id \S+ /);
        assert.deepEqual(assets.units, [
            "bootstrap.service",
            "kubelet-restart.path",
            "bootstrap-report.service",
            "bootstrap-lines.path",
        ]);
        assert.deepEqual(secretInputs, ["stdin"]);
        assert.deepEqual(dependsOn, [
            "c-controller-0-etcd",
            "c-api",
            "c-api",
            ...[0, 1, 2].map((n) => `c-controller-${n}`),
        ]);
    });

    it("deletes everything in the cluster with the VPC, without contacting a dead API", async () => {
        for (const { name, type, opts } of resources.filter((each) => /^kubernetes:(?!index|yaml)/.test(each.type))) {
            assert.match(await resolved(opts.deletedWith!.urn), /vpc:Vpc::c$/, `${type} ${name}`);
        }
    });

    it("gives back what a person needs", async () => {
        assert.equal(await resolved(cluster.apiUrl), "https://api.c.example.com:6443");
        assert.equal(cluster.nodes.length, 3);
        const kubeconfig = JSON.parse(await resolved(cluster.kubeconfig));
        assert.equal(kubeconfig.clusters[0].cluster.server, "https://api.c.example.com:6443");
    });
});

describe("a cluster on AWS", function () {
    this.timeout(60_000);

    it("shows in a preview every resource that an update makes", async () => {
        const identity = ({ type, name }: Deployed) => `${type}::${name}`;
        const workerPools = [{ name: "a" }];
        const [preview, update] = [await create({ workerPools }, true), await create({ workerPools })];
        assert.deepEqual(preview.resources.map(identity).sort(), update.resources.map(identity).sort());
    });

    it("allows the configured clients to its API, and its own nodes through their single NAT gateway", async () => {
        const apiAllowedCidrs = ["192.0.2.0/24", "198.51.100.7/32"];
        const options = { topology: "private", natGateways: "one", apiAllowedCidrs };
        const { resources } = await create({ ...options, nodeApiAccess: "shared" });
        const gateways = resources.flatMap(({ inputs }) => inputs.natGatewayId ?? []);
        assert.deepEqual(gateways, ["c-nat-a-id", "c-nat-a-id", "c-nat-a-id"]);
        const blocks = resources.filter(
            ({ inputs }) => inputs.securityGroupId === "c-load-balancer-id" && inputs.cidrIpv4,
        );
        assert.deepEqual(
            blocks.map(({ name, inputs }) => [name, inputs.cidrIpv4]),
            [
                ["c-load-balancer-api-192-0-2-0-24", "192.0.2.0/24"],
                ["c-load-balancer-api-198-51-100-7-32", "198.51.100.7/32"],
                ["c-load-balancer-api-nat-a", "203.0.113.97/32"],
            ],
        );
    });

    it("starts once its own private zone resolves the internal API's name", async () => {
        const { resources } = await create({ topology: "private", apiAccess: "internal", privateZone: "own" });
        const { dependsOn } = resources.find(({ name, type }) => name === "c-bootstrap" && /:Command$/.test(type))!;
        assert.ok(dependsOn.includes("c"));
    });

    it("checks that an existing VPC resolves names with the existing private zone", async () => {
        const internal = { apiAccess: "internal", privateZone: "ZTHEIRS" };
        const existing = { vpcId: "vpc-0123456789abcdef0", vpcCidr: "10.40.0.0/16", subnetIds: ["subnet-a000000a"] };
        for (const isPreview of [true, false]) {
            await assert.rejects(
                create({ ...internal, ...existing, privateZone: "ZUNSEEN" }, isPreview),
                /privateZone must be the id of a private hosted zone \(got ZUNSEEN\): vpc-\w+ resolves example\.com with another zone/,
            );
            await assert.rejects(
                create({ ...internal, privateZone: "Z1" }, isPreview),
                /privateZone must be the id of a private hosted zone \(got Z1\)/,
            );
        }
    });

    it("requires a registry mirror where nothing gets out", async () => {
        const { registryMirror: _, ...far } = downloads;
        const options = { topology: "private", apiAccess: "internal", natGateways: "none" };
        await assert.rejects(
            create({ ...options, downloads: far }, true),
            /natGateways none requires downloads\.registryMirror/,
        );
    });

    it("requires IPv6 in existing subnets if configured", async () => {
        const existing = { vpcId: "vpc-0123456789abcdef0", vpcCidr: "10.40.0.0/16", subnetIds: ["subnet-a000000a"] };
        await assert.rejects(
            create({ ...existing, ipv6: true }, true),
            /subnetIds\[0\] must be a subnet with an IPv6 block, which assigns .* \(required by ipv6\) \(got subnet-a000000a\)/,
        );
    });

    it("refreshes a pool's instances when the cluster is upgraded, and makes other pools wait for nothing", async () => {
        const workerPools = [{ name: "a", instanceRefresh: {} }, { name: "b" }];
        const { resources } = await create({ workerPools });
        const group = (name: string) => resources.find((each) => each.name === name && /:Group$/.test(each.type))!;
        const waitsFor = async (name: string) => {
            const given = (await resolved(pulumi.output(group(name).opts.dependsOn as pulumi.Resource[]))) ?? [];
            return Promise.all(given.map(({ urn }) => resolved(urn)));
        };
        const agents = /tradewind:index:NodeAgents::c$/;
        assert.ok((await waitsFor("c-a")).some((urn) => agents.test(urn)));
        assert.ok(!(await waitsFor("c-b")).some((urn) => agents.test(urn)));
    });

    it("deletes what is in the cluster with its own security group in an existing network", async () => {
        const { resources } = await create({
            vpcId: "vpc-0123456789abcdef0",
            vpcCidr: "10.40.0.0/16",
            subnetIds: ["subnet-a000000a"],
        });
        for (const { name, type, opts } of resources.filter((each) => /^kubernetes:(?!index|yaml)/.test(each.type))) {
            assert.match(await resolved(opts.deletedWith!.urn), /SecurityGroup::c-nodes$/, `${type} ${name}`);
        }
    });

    it("is refused if DHCP options name pools' nodes otherwise than agents admit, as far as they can be read", async () => {
        const inVpc = (vpcId: string, workerPools: object[]) =>
            create({
                vpcId,
                vpcCidr: "10.40.0.0/16",
                subnetIds: [`subnet-a00000${vpcId.at(-1)}a`],
                workerPools,
            } as never);
        const pools = [{ name: "default" }];
        // Controllers are named by the stack.
        await assert.doesNotReject(inVpc("vpc-0123456789abcdefc", []));
        await assert.doesNotReject(inVpc("vpc-0123456789abcdefd", pools));
        await assert.rejects(
            inVpc("vpc-0123456789abcdefc", pools),
            /eu-central-1\.compute\.internal or none, not corp\.example/,
        );
    });

    it("is refused before anything is created if an existing network contradicts the options", async () => {
        const network = { vpcId: "vpc-0123456789abcdef0", vpcCidr: "10.41.0.0/16", subnetIds: ["subnet-a000000a"] };
        for (const isPreview of [true, false]) {
            await assert.rejects(
                create(network, isPreview),
                /vpcCidr must be the block of vpc-0123456789abcdef0, 10\.40\.0\.0\/16 \(got 10\.41\.0\.0\/16\)/,
            );
        }
    });

    it("has pools whose tokens do not expire, and an agent that looks up their instances", async () => {
        const { resources } = await create({ workerPools: [{ name: "a", min: 1, max: 5 }] });
        const lifetimes = resources.filter(({ name }) => name.includes("token-lifetime"));
        assert.deepEqual(
            lifetimes.map(({ name }) => name),
            ["c-token-lifetime-controller-0"],
        );
        const { data } = resources.find(({ name }) => name.endsWith("/configmap/kube-system/node-pools"))!.inputs;
        assert.deepEqual(JSON.parse(data["pools.json"]), {
            pools: { controller: { nodes: ["c-controller-0"] }, a: { group: "c-a" } },
            instances: {
                ec2: "https://ec2.eu-central-1.amazonaws.com",
                region: "eu-central-1",
                namePattern: "^i-[0-9a-f]{17}(\\.eu-central-1\\.compute\\.internal)?$",
                domain: ".eu-central-1.compute.internal",
            },
        });
        const { data: token } = resources.find(({ name }) => name === "c/bootstrap-token/a")!.inputs;
        assert.equal(token.expiration, undefined);
    });

    it("starts with only the controllers' names: machines of groups are admitted once EC2 can be queried", async () => {
        const { resources } = await create({ workerPools: [{ name: "a" }] });
        const { stdin } = resources.find(({ name }) => name === "c-bootstrap")!.inputs;
        const { assets } = JSON.parse(gunzipSync(Buffer.from(stdin, "base64")).toString());
        const of = (end: string) =>
            (assets.entries as { path: string; contents?: string }[])
                .filter(({ path }) => path.endsWith(end))
                .map(({ contents = "" }) => JSON.parse(Buffer.from(contents, "base64").toString()));
        const [pools] = of("configmap-kube-system-node-pools.json");
        assert.deepEqual(JSON.parse(pools.data["pools.json"]), {
            pools: { controller: { nodes: ["c-controller-0"] } },
        });
    });

    it("leaves existing resources in place when a zone or a pool is added", async () => {
        const bare = ({ resources }: { resources: Deployed[] }) =>
            Object.fromEntries(
                resources
                    .filter(({ type }) => type.startsWith("aws:ec2/") || type.startsWith("aws:vpc/"))
                    .map(({ type, name, inputs }) => [`${type}::${name}`, inputs]),
            );
        const before = bare(await create({ zones: ["a", "c"], workerPools: [{ name: "a" }] }));
        const after = bare(await create({ zones: ["a", "c", "b"], workerPools: [{ name: "a" }, { name: "b" }] }));
        for (const [key, inputs] of Object.entries(before)) assert.deepEqual(after[key], inputs, key);
    });
});
