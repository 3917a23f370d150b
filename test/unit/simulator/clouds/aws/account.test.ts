import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Image, queryOf, requireImage } from "../../../../../components/aws/machines/images";
import { Account } from "../../../../../simulator/clouds/aws/account";
import { bucket } from "../../../../../simulator/clouds/aws/bucket";
import { functions } from "../../../../../simulator/clouds/aws/functions";
import { role } from "../../../../../simulator/clouds/aws/identity";
import { instance } from "../../../../../simulator/clouds/aws/instance";
import { launch, requireSpec } from "../../../../../simulator/clouds/aws/instances";
import { loadBalancer } from "../../../../../simulator/clouds/aws/load-balancer";
import { subnet, vpc } from "../../../../../simulator/clouds/aws/network";
import { record } from "../../../../../simulator/clouds/aws/record";
import { internetGateway, route, routeTable, routeTableAssociation } from "../../../../../simulator/clouds/aws/routing";
import { securityGroup, securityGroupIngressRule } from "../../../../../simulator/clouds/aws/security-group";
import { hostedZone, zoneAssociation } from "../../../../../simulator/clouds/aws/types";
import { volume, volumeAttachment } from "../../../../../simulator/clouds/aws/volume";
import { vpcEndpoint } from "../../../../../simulator/clouds/aws/vpc-endpoint";
import { reachesInternet, reachesS3 } from "../../../../../simulator/clouds/aws/ways-out";
import { resourceOf } from "../../../../../simulator/clouds/shared/simulated";
import type { DeleteOperation } from "../../../../../simulator/plugins/protocol/serve";

type LookedUp = Extract<Image, { channel: string }>;

describe("a simulated account of AWS", () => {
    let folder: string;
    let account: Account;
    const ami = "ami-0123456789abcdef0";
    const vpcId = "vpc-0123456789abcdef0";
    const zoned = { vpcId, availabilityZone: "eu-central-1a" };

    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-account-"));
        const owned = {
            region: "eu-central-1",
            zones: { Z1: "example.com" },
            amis: { [ami]: "Flatcar-stable-4593.2.1-hvm" },
        };
        account = Account.open(join(folder, "account.json"), owned);
        account.put("vpcs", vpcId, { name: "c", cidr: "10.9.0.0/24", hasDnsHostnames: true });
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    it("returns ids in the service's format", () => {
        assert.match(account.newId("vpc"), /^vpc-[0-9a-f]{17}$/);
        assert.equal(account.arn("iam", "role/c", true), "arn:aws:iam::123456789012:role/c");
    });

    it("keeps a network while it has members", async () => {
        const { id } = await subnet.create(account, {
            ...zoned,
            cidrBlock: "10.9.0.0/28",
            tags: { Name: "c-public-a" },
        });
        await assert.rejects(
            () => vpc.delete(account, vpcId),
            /^Error: DependencyViolation: .* be deleted: c-public-a$/,
        );
        account.put("instances", "i-1", {
            name: "c-a",
            machine: "i-1",
            vpc: vpcId,
            subnet: id,
            address: "10.9.0.4",
            groups: [],
        });
        await assert.rejects(() => subnet.delete(account, id), /DependencyViolation: .*: c-a$/);
    });

    it("has subnets inside their VPC, in its zones, that do not overlap", async () => {
        await subnet.create(account, { ...zoned, cidrBlock: "10.9.0.0/28" });
        const refused = [
            [{ cidrBlock: "10.9.0.0/27" }, /InvalidSubnet\.Conflict/],
            [{ cidrBlock: "10.8.0.0/28" }, /InvalidSubnet\.Range/],
            [{ cidrBlock: "10.9.0.0/23" }, /InvalidSubnet\.Range/],
            [{ cidrBlock: "10.9.0.16/28", availabilityZone: "eu-central-1f" }, /Value \(eu-central-1f\) .* is invalid/],
        ] as const;
        for (const [inputs, message] of refused) {
            await assert.rejects(() => subnet.create(account, { ...zoned, ...inputs }), message);
        }
    });

    it("keeps a security group that others reference, and no rule without a peer", async () => {
        const { id: nodes } = await securityGroup.create(account, { name: "c-nodes", vpcId });
        const { id: api } = await securityGroup.create(account, { name: "c-api", vpcId });
        const tcp = { ipProtocol: "tcp", fromPort: 6443, toPort: 6443 };
        const rule = { securityGroupId: nodes, ...tcp };
        await assert.rejects(() => securityGroupIngressRule.create(account, rule), /a block or a group/);
        const withoutPorts = { securityGroupId: nodes, ipProtocol: "tcp", cidrIpv4: "0.0.0.0/0" };
        await assert.rejects(() => securityGroupIngressRule.create(account, withoutPorts), /both ports or none/);
        await securityGroupIngressRule.create(account, { ...rule, referencedSecurityGroupId: api });
        await assert.rejects(() => securityGroup.delete(account, api), /DependencyViolation/);
        await securityGroup.delete(account, nodes);
        await securityGroup.delete(account, api);
        assert.deepEqual(account.left, ["vpcs c"]);
    });

    it("has volumes that can be attached once, in their zone, and stay while attached", async () => {
        const { id: home } = await subnet.create(account, { ...zoned, cidrBlock: "10.9.0.0/28" });
        const made = { machine: "c-a", vpc: vpcId, subnet: home, address: "10.9.0.4", groups: [] };
        account.put("instances", "i-1", { ...made, name: "c-a" });
        const inputs = { availabilityZone: "eu-central-1b", size: 20, type: "gp3", encrypted: true };
        await assert.rejects(
            () => volume.create(account, { ...inputs, availabilityZone: "us-east-1a" }),
            /InvalidZone\.NotFound/,
        );
        const { id: elsewhere } = await volume.create(account, { ...inputs, tags: { Name: "c-a-etcd" } });
        const attach = (volumeId: string) =>
            volumeAttachment.create(account, { volumeId, instanceId: "i-1", deviceName: "/dev/sdf" });
        await assert.rejects(() => attach(elsewhere), /InvalidVolume\.ZoneMismatch/);
        await assert.rejects(() => attach("vol-gone"), /The volume ID 'vol-gone' does not exist/);
        const held = { name: "c-a-etcd", volume: elsewhere, instance: "i-1", device: "/dev/sdf" };
        account.put("volumeAttachments", "vai-1", held);
        await assert.rejects(() => attach(elsewhere), /VolumeInUse: .* is already attached/);
        const { id: other } = await volume.create(account, { ...inputs, availabilityZone: "eu-central-1a" });
        await assert.rejects(() => attach(other), /Attachment point \/dev\/sdf is already in use/);
        await assert.rejects(() => volume.delete(account, elsewhere), /VolumeInUse: .* is currently attached to i-1/);
        await assert.rejects(() => volume.update!(account, other, { size: 10 }), /New size cannot be smaller/);
        await volume.update!(account, other, { size: 30 });
        assert.equal(account.find("volumes", other).size, 30);
        await volume.delete(account, other);
        assert.ok(account.left.includes("volumes c-a-etcd"));
    });

    it("rejects an instance without a route to S3, or with an AMI that does not exist", async () => {
        const { id } = await subnet.create(account, { ...zoned, cidrBlock: "10.9.0.0/28" });
        const spec = { ami, instanceType: "t3.medium", userData: "{}", groups: [] };
        const noRoute = launch(account, { spec, subnet: id, name: "c-a" });
        await assert.rejects(noRoute, /no route to S3, is not simulated/);
        const other = { ...spec, ami: "ami-0123456789abcdef1" };
        await assert.rejects(launch(account, { spec: other, subnet: id, name: "c-a" }), /InvalidAMIID\.NotFound/);
    });

    it("has endpoints of its region's services, one of each, which lead to S3 and keep their VPC", async () => {
        const { id: zone } = await subnet.create(account, { ...zoned, cidrBlock: "10.9.0.0/28" });
        const { id: table } = await routeTable.create(account, { vpcId });
        await routeTableAssociation.create(account, { routeTableId: table, subnetId: zone });
        const { id: group } = await securityGroup.create(account, { name: "c-endpoints", vpcId });
        const s3 = { vpcId, serviceName: "com.amazonaws.eu-central-1.s3", vpcEndpointType: "Gateway" };
        const ec2 = {
            ...{ vpcId, serviceName: "com.amazonaws.eu-central-1.ec2", vpcEndpointType: "Interface" },
            ...{ subnetIds: [zone], securityGroupIds: [group], privateDnsEnabled: true },
        };
        const refused: [object, RegExp][] = [
            [{ ...s3, serviceName: "com.amazonaws.us-east-1.s3" }, /InvalidServiceName/],
            [{ ...s3, serviceName: "com.amazonaws.eu-central-1.ec2" }, /Gateway\) does not match ec2/],
            [{ ...s3, subnetIds: [zone] }, /does not match s3 or its parameters/],
            [{ ...ec2, securityGroupIds: [] }, /has subnets and groups/],
            [{ ...ec2, subnetIds: [zone, zone] }, /DuplicateSubnetsInSameZone/],
        ];
        for (const [inputs, message] of refused) {
            await assert.rejects(() => vpcEndpoint.create(account, { ...inputs }), message);
        }
        assert.equal(reachesS3(account, zone), false);
        const { id: gateway } = await vpcEndpoint.create(account, { ...s3, routeTableIds: [table] });
        assert.deepEqual([reachesS3(account, zone), reachesInternet(account, zone)], [true, false]);
        const { id: endpoint } = await vpcEndpoint.create(account, ec2);
        await assert.rejects(() => vpcEndpoint.create(account, ec2), /there is an endpoint of ec2/);
        const again = vpcEndpoint.create(account, { ...s3, routeTableIds: [table] });
        await assert.rejects(again, /RouteAlreadyExists/);
        account.put("vpcs", vpcId, { name: "c", cidr: "10.9.0.0/24" });
        await assert.rejects(() => vpcEndpoint.update!(account, endpoint, ec2), /requires both enableDnsSupport and/);
        for (const remove of [() => subnet.delete(account, zone), () => securityGroup.delete(account, group)]) {
            await assert.rejects(remove, /DependencyViolation/);
        }
        await vpcEndpoint.delete(account, endpoint);
        await vpcEndpoint.delete(account, gateway);
        await securityGroup.delete(account, group);
    });

    it("removes routes in order", async () => {
        const { id: zone } = await subnet.create(account, { ...zoned, cidrBlock: "10.9.0.0/28" });
        const { id: gatewayId } = await internetGateway.create(account, { vpcId });
        await assert.rejects(() => internetGateway.create(account, { vpcId }), /Resource\.AlreadyAssociated/);
        const { id: table } = await routeTable.create(account, { vpcId });
        const { id: way } = await route.create(account, {
            routeTableId: table,
            destinationCidrBlock: "0.0.0.0/0",
            gatewayId,
        });
        const { id: association } = await routeTableAssociation.create(account, {
            routeTableId: table,
            subnetId: zone,
        });
        await assert.rejects(() => routeTable.delete(account, table), /DependencyViolation/);
        await routeTableAssociation.delete(account, association);
        await route.delete(account, way);
        await routeTable.delete(account, table);
        await internetGateway.delete(account, gatewayId);
        await subnet.delete(account, zone);
        assert.deepEqual(account.left, ["vpcs c"]);
    });

    it("keeps a role that is in use, and a bucket that is not empty unless forced", async () => {
        await role.create(account, { name: "r" });
        account.put("instanceProfiles", "p", { name: "p", role: "r" });
        await assert.rejects(() => role.delete(account, "r"), /DeleteConflict: .* must remove p first/);
        await bucket.create(account, { bucket: "configs" });
        account.put("objects", "configs/x", { name: "x", bucket: "configs", key: "x", content: "" });
        await assert.rejects(() => bucket.delete(account, "configs"), /BucketNotEmpty/);
        await bucket.update!(account, "configs", { forceDestroy: true });
        await bucket.delete(account, "configs");
        assert.deepEqual(account.left, ["vpcs c", "roles r", "instanceProfiles p"]);
    });

    it("deletes what no longer exists, and nothing in an existing network", async () => {
        const operation = { state: {}, inputs: {} } as unknown as DeleteOperation;
        await resourceOf(subnet, account).delete!({ ...operation, id: "subnet-gone" });
        await resourceOf(vpc, account).delete!({ ...operation, id: "vpc-gone" });
        account.put("instances", "i-1", {
            name: "c",
            machine: "c",
            vpc: "vpc-gone",
            subnet: "s",
            address: "10.9.0.4",
            groups: [],
        });
        const deleted = resourceOf(instance, account).delete!({ ...operation, id: "i-1" });
        await assert.rejects(deleted, /^Error: The vpc ID 'vpc-gone' does not exist$/);
    });

    it("finds the AMI of an architecture, and rejects it for an instance of another", async () => {
        const arm = "ami-0123456789abcdef2";
        account = Account.open(join(folder, "account.json"), {
            ...account.state,
            amis: { [ami]: "Flatcar-stable-4593.2.1-hvm", [arm]: "Flatcar-stable-4593.2.1-arm64-hvm" },
        });
        const ask = (architecture: string) =>
            functions["aws:ec2/getAmi:getAmi"]!(account, {
                owners: ["1"],
                mostRecent: true,
                filters: [
                    { name: "name", values: ["Flatcar-stable-*-hvm"] },
                    { name: "architecture", values: [architecture] },
                ],
            });
        assert.deepEqual([ask("arm64").id, ask("x86_64").id], [arm, ami]);
        const spec = { ami: arm, instanceType: "t3.medium", userData: "{}", groups: [] };
        const message = /The architecture 'x86_64' of t3\.medium does not match 'arm64' of ami-/;
        assert.throws(() => requireSpec(account, spec), message);
        requireSpec(account, { ...spec, instanceType: "t4g.medium" });
    });

    it("finds the newest AMI of a name", () => {
        const ask = functions["aws:ec2/getAmi:getAmi"]!;
        const named = (name: string) => ({
            owners: ["1"],
            mostRecent: true,
            filters: [{ name: "name", values: [name] }],
        });
        assert.equal(ask(account, named("Flatcar-stable-*-hvm")).id, ami);
        assert.throws(() => ask(account, named("Flatcar-beta-*-hvm")), /Your query returned no results/);
        assert.throws(() => ask(account, named("Flatcar-stable-4593.1-hvm")), /Your query returned no results/);
    });

    it("finds the newest Fedora CoreOS AMI of a stream", () => {
        const of = (version: string, cpu = "x86_64") => `fedora-coreos-${version}-${cpu}`;
        const amis = {
            "ami-00000001": of("43.20260301.3.0"),
            "ami-00000002": of("43.20260315.3.1"),
            "ami-00000003": of("43.20260315.3.1", "aarch64"),
            "ami-00000004": of("44.20260401.2.0"),
            "ami-00000005": "Flatcar-stable-4593.2.1-hvm",
        };
        account = Account.open(join(folder, "account.json"), { ...account.state, amis });
        const ask = (image: string, architecture: "amd64" | "arm64" = "amd64") => {
            const { owner, filters } = queryOf(requireImage("image", image, "eu-central-1") as LookedUp, architecture);
            return functions["aws:ec2/getAmi:getAmi"]!(account, { owners: [owner], mostRecent: true, filters }).id;
        };
        assert.equal(ask("fedora-coreos-stable"), "ami-00000002");
        assert.equal(ask("fedora-coreos-stable", "arm64"), "ami-00000003");
        assert.equal(ask("fedora-coreos-stable-43.20260301.3.0"), "ami-00000001");
        assert.equal(ask("fedora-coreos-testing"), "ami-00000004");
        assert.equal(ask("flatcar-stable"), "ami-00000005");
        assert.throws(() => ask("fedora-coreos-next"), /Your query returned no results/);
    });

    it("finds an AMI by id, and deprecated ones only on request", () => {
        const ask = functions["aws:ec2/getAmi:getAmi"]!;
        const amis = { "ami-00000001": "our-ubuntu-26.04" };
        const filters = [{ name: "image-id", values: ["ami-00000001"] }];
        account = Account.open(join(folder, "account.json"), { ...account.state, amis });
        assert.equal(ask(account, { filters }).rootDeviceName, "/dev/sda1");
        const deprecatedAmis = ["ami-00000001"];
        account = Account.open(join(folder, "account.json"), { ...account.state, amis, deprecatedAmis });
        assert.throws(() => ask(account, { filters }), /Your query returned no results/);
        assert.equal(ask(account, { filters, includeDeprecated: true }).id, "ami-00000001");
    });

    it("describes existing VPCs and subnets", async () => {
        const { id } = await subnet.create(account, { ...zoned, cidrBlock: "10.9.0.0/28", mapPublicIpOnLaunch: true });
        const ask = (name: string, given: string) =>
            functions[`aws:ec2/get${name}:get${name}`]!(account, { id: given });
        assert.equal(ask("Vpc", vpcId).cidrBlock, "10.9.0.0/24");
        const { vpcId: home, cidrBlock, availabilityZone, mapPublicIpOnLaunch } = ask("Subnet", id);
        assert.deepEqual(
            [home, cidrBlock, availabilityZone, mapPublicIpOnLaunch],
            [vpcId, "10.9.0.0/28", "eu-central-1a", true],
        );
        assert.throws(() => ask("Vpc", "vpc-1"), /The vpc ID 'vpc-1' does not exist/);
    });

    it("has private hosted zones associated with VPCs, unique by name, and keeps one with records", async () => {
        const privateZones = { ZTHEIRS: { name: "example.com", vpcs: ["vpc-theirs"] } };
        account = Account.open(join(folder, "account.json"), { ...account.state, privateZones });
        account.put("vpcs", vpcId, { name: "c", cidr: "10.9.0.0/24" });
        const ask = functions["aws:route53/getZone:getZone"]!;
        const seen = { name: "example.com", vpcId };
        assert.equal(ask(account, { zoneId: "ZTHEIRS" }).privateZone, true);
        assert.equal(ask(account, { zoneId: "Z1" }).privateZone, false);
        assert.throws(() => ask(account, { zoneId: "Z2" }), /NoSuchHostedZone/);
        assert.throws(() => ask(account, seen), /no matching Route53Zone found/);
        const association = { zoneId: "ZTHEIRS", vpcId };
        await assert.rejects(() => zoneAssociation.create(account, { ...association, zoneId: "Z1" }), /is public/);
        const { id } = await zoneAssociation.create(account, association);
        assert.equal(ask(account, seen).zoneId, "ZTHEIRS");
        await assert.rejects(() => zoneAssociation.create(account, association), /ConflictingDomainExists/);
        await zoneAssociation.delete(account, id);

        const { id: own } = await hostedZone.create(account, { name: "c.example.com", vpcs: [{ vpcId }] });
        assert.equal(ask(account, { name: "c.example.com", vpcId }).zoneId, own);
        account.put("records", `${own}_api.c.example.com_A`, { name: "api.c.example.com", address: "10.9.0.3" });
        await assert.rejects(() => hostedZone.delete(account, own), /HostedZoneNotEmpty: c\.example\.com has/);
        await hostedZone.update!(account, own, { forceDestroy: true });
        account.remove("records", `${own}_api.c.example.com_A`);
        await hostedZone.delete(account, own);
        assert.deepEqual(account.left, ["vpcs c"]);
    });

    it("has public hosted zones that a program creates, found by name unless several have it", async () => {
        const ask = functions["aws:route53/getZone:getZone"]!;
        const { id, outputs } = await hostedZone.create(account, { name: "team.example.net" });
        assert.deepEqual(outputs!.nameServers, ["ns-1.awsdns-01.org", "ns-2.awsdns-02.net"]);
        const found = ask(account, { name: "team.example.net", privateZone: false });
        assert.deepEqual([found.zoneId, found.privateZone], [id, false]);
        await assert.rejects(() => zoneAssociation.create(account, { zoneId: id, vpcId }), /is public/);
        const { id: other } = await hostedZone.create(account, { name: "team.example.net" });
        assert.throws(() => ask(account, { name: "team.example.net" }), /multiple Route53Zone found/);
        assert.equal(ask(account, { zoneId: other }).zoneId, other);
        for (const each of [id, other]) await hostedZone.delete(account, each);
    });

    it("rejects a public load balancer without a route to the internet", async () => {
        const { id } = await subnet.create(account, { ...zoned, cidrBlock: "10.9.0.0/28" });
        const inputs = { name: "c-api", subnets: [id], securityGroups: [] };
        await assert.rejects(
            () => loadBalancer.create(account, { ...inputs, internal: false }),
            /has no internet gateway/,
        );
    });

    it("rejects an alias of a load balancer that is not active yet", async () => {
        const state = "provisioning" as const;
        const provisioning = { name: "c-api", vpc: vpcId, address: "10.9.0.3", dnsName: "c-api.elb", state };
        account.put("loadBalancers", "lb", { ...provisioning, subnets: [], groups: [] });
        const aliases = [{ name: "c-api.elb", zoneId: "Z", evaluateTargetHealth: false }];
        const inputs = { zoneId: "Z1", name: "api.c.example.com", type: "AAAA", aliases };
        await assert.rejects(() => record.create(account, inputs), /InvalidChangeBatch: .* c-api\.elb is not active/);
        account.change("loadBalancers", "lb", ({ state: _, ...active }) => active);
        await record.create(account, inputs);
    });

    it("finds the hosted zone of a domain", () => {
        const ask = functions["aws:route53/getZone:getZone"]!;
        assert.equal(ask(account, { name: "example.com", privateZone: false }).zoneId, "Z1");
        assert.throws(() => ask(account, { name: "example.org" }), /no matching Route53Zone found: example\.org/);
    });
});
