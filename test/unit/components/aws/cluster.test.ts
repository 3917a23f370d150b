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

    it("has a subnet in each zone, with a way to the internet", () => {
        assert.deepEqual(
            ofType("Subnet").map(({ inputs }) => [inputs.availabilityZone, inputs.cidrBlock]),
            [
                ["eu-central-1a", "10.0.0.0/20"],
                ["eu-central-1b", "10.0.16.0/20"],
                ["eu-central-1c", "10.0.32.0/20"],
            ],
        );
        assert.equal(ofType("RouteTableAssociation").length, 3);
    });

    it("spreads its controllers over the zones", () => {
        assert.deepEqual(
            ofType("Instance").map(({ name, inputs }) => [name, inputs.subnetId, inputs.vpcSecurityGroupIds]),
            ["a", "b", "c"].map((zone, index) => [
                `c-controller-${index}`,
                `c-public-${zone}-id`,
                ["c-nodes-id", "c-controllers-id"],
            ]),
        );
    });

    it("has a group of instances for each pool, in every zone, without the controllers' permissions", () => {
        assert.deepEqual(
            ofType("Group").map(({ name, inputs }) => [name, inputs.minSize, inputs.maxSize, inputs.desiredCapacity]),
            [
                ["c-a", 4, 4, 4],
                ["c-b", 1, 1, 1],
            ],
        );
        assert.equal(named("c-a", "Group").inputs.vpcZoneIdentifiers.length, 3);
        const { instanceType, vpcSecurityGroupIds, blockDeviceMappings } = named("c-b", "LaunchTemplate").inputs;
        assert.deepEqual([instanceType, vpcSecurityGroupIds], ["m7i.large", ["c-nodes-id", "c-workers-id"]]);
        assert.deepEqual([blockDeviceMappings[0].ebs.volumeSize, blockDeviceMappings[0].ebs.encrypted], [100, "true"]);
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

    it("has a volume for each controller's etcd, in its zone, which another zone or machine never changes", () => {
        const volumes = ofType("Volume");
        assert.deepEqual(
            volumes.map(({ name, inputs }) => [name, inputs.availabilityZone, inputs.size, inputs.encrypted]),
            ["a", "b", "c"].map((zone, index) => [`c-controller-${index}-etcd`, `eu-central-1${zone}`, 20, true]),
        );
        for (const { opts, dependsOn } of volumes) {
            assert.deepEqual(opts.ignoreChanges, ["availabilityZone", "encrypted", "kmsKeyId"]);
            assert.deepEqual(dependsOn, []);
        }
    });

    it("attaches it to its instance, at whose end EC2 detaches it", () => {
        assert.deepEqual(
            ofType("VolumeAttachment").map(({ inputs, opts }) => [inputs, opts.deleteBeforeReplace]),
            [0, 1, 2].map((index) => [
                {
                    deviceName: "/dev/sdf",
                    instanceId: `c-controller-${index}-id`,
                    volumeId: `c-controller-${index}-etcd-id`,
                    skipDestroy: true,
                },
                true,
            ]),
        );
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

    it("replaces no controller for what it boots with or where, nor what it points to", () => {
        for (const { opts } of ofType("Instance")) {
            assert.deepEqual(opts.ignoreChanges, [
                ...["userData", "ami", "rootBlockDevice.kmsKeyId"],
                ...["subnetId", "associatePublicIpAddress"],
            ]);
            assert.equal(opts.deleteBeforeReplace, true);
        }
        assert.deepEqual(named("c-controller-0-config").opts.ignoreChanges, ["key", "content"]);
        assert.deepEqual(named("c-a-config").opts.ignoreChanges, []);
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

    it("keeps configs secret in the state, in an encrypted and closed bucket", () => {
        for (const { name, inputs, secretInputs, dependsOn } of ofType("BucketObjectv2")) {
            assert.deepEqual(secretInputs, name.endsWith("-etcd") ? [] : ["content"], name);
            assert.equal(inputs.serverSideEncryption, "AES256");
            assert.deepEqual(dependsOn, ["c-configs", "c-configs"]);
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

    it("boots no instance before it can fetch its config", () => {
        for (const [name, config, policy] of [
            ["c-controller-0", "c-controller-0-config", "c-controller"],
            ["c-a", "c-a-config", "c-a"],
        ] as const) {
            const { dependsOn } = resources.find((each) => each.name === name && /Instance$|Group$/.test(each.type))!;
            const needed = [config, policy, "c-internet", "c-public-a", "c-nodes-everything"];
            assert.deepEqual(
                needed.filter((each) => !dependsOn.includes(each)),
                [],
            );
        }
    });

    it("balances the API across its controllers, with a readiness check for each", () => {
        const { healthCheck, preserveClientIp } = named("c-api", "TargetGroup").inputs;
        assert.deepEqual([healthCheck.protocol, healthCheck.path, preserveClientIp], ["HTTPS", "/readyz", "false"]);
        assert.deepEqual(
            ofType("TargetGroupAttachment").map(({ inputs }) => inputs.targetId),
            [0, 1, 2].map((index) => `c-controller-${index}-id`),
        );
    });

    it("opens to everybody its load balancer's port, and nothing else", () => {
        const open = ofType("SecurityGroupIngressRule").filter(({ inputs }) => inputs.cidrIpv4 !== undefined);
        assert.deepEqual(
            open.map(({ inputs }) => [inputs.securityGroupId, inputs.ipProtocol, inputs.fromPort, inputs.toPort]),
            [["c-load-balancer-id", "tcp", 6443, 6443]],
        );
    });

    it("has a name in the operator's hosted zone", () => {
        const { zoneId, name, aliases } = named("c-api", "Record").inputs;
        assert.deepEqual([zoneId, name, aliases[0].name], ["Z1", "api.c.example.com", "c-api-1.elb.amazonaws.com"]);
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

    it("can have private nodes behind NAT gateways, created before its load balancer", async () => {
        const options = { controllers: { count: 3 }, workerPools: [{ name: "a" }], topology: "private" };
        const gatewaysOf = (resources: Deployed[]) =>
            resources
                .filter(({ inputs }) => inputs.natGatewayId !== undefined)
                .map(({ name, inputs }) => [name, inputs.natGatewayId]);
        const { resources } = await create(options);
        assert.deepEqual(
            gatewaysOf(resources),
            ["a", "b", "c"].map((zone) => [`c-private-${zone}-internet`, `c-nat-${zone}-id`]),
        );
        const ofType = (type: string) => resources.filter((each) => each.type.endsWith(`:${type}`));
        for (const { inputs } of ofType("Instance")) {
            assert.match(inputs.subnetId, /^c-private-[abc]-id$/);
            assert.equal(inputs.associatePublicIpAddress, false);
        }
        for (const { inputs } of ofType("Group")) {
            assert.ok(inputs.vpcZoneIdentifiers.every((id: string) => /^c-private-/.test(id)));
        }
        for (const { inputs } of ofType("LoadBalancer")) {
            assert.ok(inputs.subnets.every((id: string) => /^c-public-/.test(id)));
        }
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

    it("can have an internal API next to the nodes, for its VPC only, in a private zone limited to its names", async () => {
        const { resources } = await create({ topology: "private", apiAccess: "internal", privateZone: "own" });
        const named = (name: string, type: string) =>
            resources.find((each) => each.name === name && each.type.endsWith(`:${type}`))!;
        const { internal, subnets } = named("c-api", "LoadBalancer").inputs;
        assert.deepEqual([internal, subnets], [true, ["a", "b", "c"].map((zone) => `c-private-${zone}-id`)]);
        const { name, vpcs } = named("c", "Zone").inputs;
        assert.deepEqual([name, vpcs], ["c.example.com", [{ vpcId: "c-id" }]]);
        assert.equal(named("c-api", "Record").inputs.zoneId, "ZOWN");
        const clients = resources.filter(
            ({ inputs }) => inputs.securityGroupId === "c-load-balancer-id" && inputs.cidrIpv4,
        );
        assert.deepEqual(
            clients.map((each) => [each.name, each.inputs.cidrIpv4]),
            [["c-load-balancer-api-vpc", "10.0.0.0/16"]],
        );
        assert.ok(named("c-bootstrap", "Command").dependsOn.includes("c"));
    });

    it("associates an existing private zone with its own VPC, and checks that an existing VPC resolves it", async () => {
        const internal = { apiAccess: "internal", privateZone: "ZTHEIRS" };
        const existing = { vpcId: "vpc-0123456789abcdef0", vpcCidr: "10.40.0.0/16", subnetIds: ["subnet-a000000a"] };
        const seen = async (options: object) =>
            (await create({ ...internal, ...options })).resources
                .filter(({ type }) => /:(Record|Zone|ZoneAssociation)$/.test(type))
                .map(({ name, inputs }) => [name, inputs.zoneId, inputs.vpcId]);
        assert.deepEqual(await seen({}), [
            ["c", "ZTHEIRS", "c-id"],
            ["c-api", "ZTHEIRS", undefined],
        ]);
        assert.deepEqual(await seen(existing), [["c-api", "ZTHEIRS", undefined]]);
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

    it("has nothing public where nothing gets out, and a way to its configs before anything boots", async () => {
        const options = {
            topology: "private",
            apiAccess: "internal",
            natGateways: "none",
            workerPools: [{ name: "a" }],
        };
        const { registryMirror, ...far } = downloads;
        await assert.rejects(
            create({ ...options, downloads: far }, true),
            /natGateways none requires downloads\.registryMirror/,
        );
        const { resources } = await create({ ...options, downloads: { ...far, registryMirror } });
        const ofType = (type: string) => resources.filter((each) => each.type.endsWith(`:${type}`));
        for (const type of ["InternetGateway", "NatGateway", "Eip", "Route"]) assert.deepEqual(ofType(type), []);
        assert.deepEqual(
            ofType("Subnet").map(({ name }) => name),
            ["c-private-a", "c-private-b", "c-private-c"],
        );
        assert.deepEqual(
            ofType("VpcEndpoint").map(({ inputs }) => [inputs.serviceName, inputs.routeTableIds ?? inputs.subnetIds]),
            [
                ["com.amazonaws.eu-central-1.s3", ["c-private-id"]],
                // For node-cleaner, for which one zone is enough.
                ["com.amazonaws.eu-central-1.autoscaling", ["c-private-a-id"]],
                ["com.amazonaws.eu-central-1.ec2", ["c-private-a-id"]],
            ],
        );
        for (const { dependsOn } of [...ofType("Instance"), ...ofType("Group")]) assert.ok(dependsOn.includes("c-s3"));
        const ec2 = resources.find(({ name, type }) => name === "c-ec2" && type.endsWith(":VpcEndpoint"))!;
        assert.ok(ec2.dependsOn.includes("c-api"), `after the load balancer (got ${ec2.dependsOn})`);
    });

    it("can have IPv6: a block per subnet, routes, rules and names, and private nodes that are unreachable from outside", async () => {
        const workerPools = [{ name: "a" }];
        const { resources } = await create({ ipv6: true, topology: "private", zones: ["a", "b"], workerPools });
        const ofType = (type: string) => resources.filter((each) => each.type.endsWith(`:${type}`));
        const at = (block: string) => `2001:db8:1234:1a${block}::/64`;
        assert.deepEqual(
            ofType("Subnet").map(({ name, inputs }) => [
                name,
                inputs.ipv6CidrBlock,
                inputs.assignIpv6AddressOnCreation,
            ]),
            [
                ["c-public-a", at("00"), true],
                ["c-public-b", at("01"), true],
                ["c-private-a", at("08"), true],
                ["c-private-b", at("09"), true],
            ],
        );
        assert.deepEqual(
            ofType("Route")
                .filter(({ inputs }) => inputs.destinationIpv6CidrBlock === "::/0")
                .map(({ name, inputs }) => [name, inputs.gatewayId, inputs.egressOnlyGatewayId])
                .sort(),
            [
                ["c-internet-ipv6", "c-id", undefined],
                ["c-private-a-internet-ipv6", undefined, "c-id"],
                ["c-private-b-internet-ipv6", undefined, "c-id"],
            ],
        );
        assert.equal(ofType("EgressOnlyInternetGateway").length, 1);
        const rules = [...ofType("SecurityGroupIngressRule"), ...ofType("SecurityGroupEgressRule")];
        assert.deepEqual(
            rules
                .filter(({ inputs }) => inputs.cidrIpv6 || inputs.ipProtocol === "icmpv6")
                .map(({ name, inputs }) => [name, inputs.cidrIpv6 ?? inputs.referencedSecurityGroupId]),
            [
                ["c-load-balancer-api-ipv6", "::/0"],
                ["c-nodes-icmpv6", "c-nodes-id"],
                ["c-nodes-everything-ipv6", "::/0"],
            ],
        );
        const balancers = ofType("LoadBalancer").map(({ name, inputs }) => [name, inputs.ipAddressType]);
        assert.deepEqual(balancers.sort(), [
            ["c-api", "dualstack"],
            ["c-nodes", undefined],
        ]);
        assert.deepEqual(
            ofType("Record")
                .map(({ inputs }) => [inputs.type, inputs.name, inputs.zoneId])
                .sort(),
            [
                ["A", "api.c.example.com", "Z1"],
                ["A", "api.c.example.com", "ZOWN"],
                ["AAAA", "api.c.example.com", "Z1"],
            ],
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

    it("opens endpoints only to nodes, for the controllers that call them", async () => {
        const isolated = { topology: "private", apiAccess: "internal", natGateways: "none", csiDriver: true };
        const { resources } = await create(isolated);
        const endpoint = resources.find(({ name, type }) => name === "c-ec2" && type.endsWith(":VpcEndpoint"))!;
        assert.deepEqual(endpoint.inputs.securityGroupIds, ["c-endpoints-id"]);
        const rules = resources.filter(({ inputs }) => inputs.securityGroupId === "c-endpoints-id");
        assert.deepEqual(
            rules.map(({ inputs }) => [inputs.ipProtocol, inputs.fromPort, inputs.referencedSecurityGroupId]),
            [["tcp", 443, "c-nodes-id"]],
        );
    });

    it("creates no part of an existing network, and deletes what is in the cluster with its own security group", async () => {
        const { resources } = await create({
            vpcId: "vpc-0123456789abcdef0",
            vpcCidr: "10.40.0.0/16",
            subnetIds: ["subnet-a000000a"],
        });
        const network = /:(Vpc|Subnet|InternetGateway|NatGateway|Eip|Route|RouteTable|RouteTableAssociation)$/;
        assert.deepEqual(
            resources.filter(({ type }) => network.test(type)),
            [],
        );
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
