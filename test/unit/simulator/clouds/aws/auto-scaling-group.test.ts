import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Account } from "../../../../../simulator/clouds/aws/account";
import { autoScalingGroup } from "../../../../../simulator/clouds/aws/auto-scaling-group";
import { listener, targetGroup } from "../../../../../simulator/clouds/aws/load-balancer";

const template = "lt-0123456789abcdef0";
const ami = "ami-0123456789abcdef0";
const empty = { name: "c-a", minSize: 0, maxSize: 3, desiredCapacity: 0, vpcZoneIdentifiers: ["subnet-01234567"] };
const launchTemplate = { id: template, version: "1" };
const mixed = (...types: string[]) => ({
    launchTemplate: {
        launchTemplateSpecification: { launchTemplateId: template, version: "1" },
        overrides: types.map((instanceType) => ({ instanceType })),
    },
});

describe("a simulated Auto Scaling group", () => {
    let folder: string;
    let account: Account;

    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-account-"));
        const amis = { [ami]: "Flatcar-stable-4593.2.1-hvm" };
        account = Account.open(join(folder, "account.json"), { region: "eu-central-1", zones: {}, amis });
        account.put("vpcs", "vpc-1", { name: "c", cidr: "10.9.0.0/24" });
        const spec = { ami, instanceType: "t3.medium", userData: "{}", groups: [] };
        account.put("launchTemplates", template, { name: "c-a", versions: [spec] });
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    it("has its own template, or one in a policy with types that can boot its image", async () => {
        const create = (more: object) => autoScalingGroup.create(account, { ...empty, ...more });
        const both = { launchTemplate, mixedInstancesPolicy: mixed("t3.medium") };
        await assert.rejects(create({}), /ValidationError: a group has a launch template or a mixed/);
        await assert.rejects(create(both), /ValidationError: a group has a launch template or a mixed/);
        await assert.rejects(create({ launchTemplate: { id: template, version: "2" } }), /version 2 .* does not exist/);
        await assert.rejects(
            create({ name: "c-b", mixedInstancesPolicy: mixed("m7i.large", "m7g.large") }),
            /The architecture 'arm64' of m7g\.large does not match 'x86_64'/,
        );
        await create({ name: "c-c", mixedInstancesPolicy: mixed("m7i.large", "m6i.large") });
        await create({ name: "c-d", launchTemplate });
    });

    it("has no more instances than allowed", async () => {
        const create = (desiredCapacity: number) =>
            autoScalingGroup.create(account, { ...empty, launchTemplate, minSize: 1, desiredCapacity });
        await assert.rejects(create(0), /Desired capacity:0 must be between 1 and 3/);
        await assert.rejects(create(4), /Desired capacity:4 must be between 1 and 3/);
    });

    it("keeps why it cannot launch, which no call of the stack says", async () => {
        account.put("subnets", "subnet-01234567", {
            ...{ name: "a", vpc: "vpc-1", cidr: "10.9.0.0/28", zone: "eu-central-1a" },
        });
        const slash = { key: "kubernetes.io/cluster/c", value: "owned", propagateAtLaunch: true };
        const create = (name: string, more: object = {}) => {
            const one = { ...empty, launchTemplate, name, minSize: 1, desiredCapacity: 1 };
            return autoScalingGroup.create(account, { ...one, ...more });
        };
        const failed = (name: string) => Object.keys(account.find("autoScalingGroups", name).failures ?? {}).join();
        account.behave({ lackedCapacity: [{ zone: "a" }] });
        await create("c-a");
        assert.match(failed("c-a"), /^We currently do not have sufficient t3\.medium capacity .*\(eu-central-1a\)/);
        account.behave({ lackedCapacity: [], vcpuLimit: 1 });
        await create("c-b");
        assert.match(failed("c-b"), /^You have requested more vCPU capacity .* Launching EC2 instance failed\.$/);
        account.behave({ vcpuLimit: 64, hasMetadataTags: true });
        await create("c-c", { tags: [slash] });
        assert.match(failed("c-c"), /^'kubernetes\.io\/cluster\/c' is not a valid tag key/);
    });

    it("keeps no values of a former health check by HTTP in one by TCP, unless they are explicitly empty", async () => {
        const update = (healthCheck: object) => {
            const before = { healthCheck: { protocol: "HTTP", port: "80", path: "/up", matcher: "200" } };
            account.put("targetGroups", "tg", { name: "c-80", vpc: "vpc-1", port: 80, pace } as never);
            return targetGroup.update!(account, "tg", { name: "c-80", vpcId: "vpc-1", port: 80, healthCheck }, before);
        };
        const pace = { interval: 10, healthy: 2, unhealthy: 2 };
        const tcp = { protocol: "TCP", port: "80" };
        await assert.rejects(
            update(tcp),
            /^Error: Attribute "health_check\[0\]\.matcher" cannot be specified when .* is "TCP"/,
        );
        await update({ ...tcp, path: "", matcher: "" });
    });

    it("leaves the number of instances to whatever set it, unless another one is requested", async () => {
        const created = { ...empty, launchTemplate, tags: [{ key: "a", value: "b", propagateAtLaunch: false }] };
        const { update } = autoScalingGroup;
        await autoScalingGroup.create(account, created);
        // Nothing is launched here: the desired number already exists.
        const at = { vpc: "vpc-1", subnet: "subnet-1", address: "", groups: [] };
        account.put("instances", "i-1", {
            name: "c-a",
            machine: "i-1",
            createdBy: "c-a",
            createdFrom: `${template}:1`,
            ...at,
        });
        account.change("autoScalingGroups", "c-a", (now) => ({ ...now, desired: 1 }));
        await update!(account, "c-a", { ...created, maxSize: 2 }, created);
        const { least, most, desired, tags } = account.find("autoScalingGroups", "c-a");
        assert.deepEqual([least, most, desired, tags], [0, 2, 1, { a: "b" }]);
        await update!(account, "c-a", { ...created, minSize: 1, desiredCapacity: 1 }, created);
        assert.equal(account.find("autoScalingGroups", "c-a").desired, 1);
    });

    it("is a target of existing groups, which have one listener at a time", async () => {
        const make = async (port: number) =>
            (
                await targetGroup.create(account, {
                    name: `c-${port}`,
                    vpcId: "vpc-1",
                    port,
                    healthCheck: { protocol: "TCP", port: String(port) },
                })
            ).id;
        const [before, after] = [await make(80), await make(30080)];
        const missing = { ...empty, launchTemplate, targetGroupArns: [`${before}0`] };
        await assert.rejects(autoScalingGroup.create(account, missing), /target group ID|targetGroup ID/i);
        await autoScalingGroup.update!(account, "c-a", { ...empty, launchTemplate, targetGroupArns: [before, after] });
        assert.deepEqual(account.resources.autoScalingGroups["c-a"]!.targetGroups, [before, after]);

        account.put("loadBalancers", "lb", {
            ...{ name: "c", vpc: "vpc-1", address: "10.9.0.3", dnsName: "c.elb" },
            ...{ subnets: [], groups: [] },
        });
        const forward = (targetGroupArn: string) => ({
            defaultActions: [{ type: "forward", targetGroupArn }],
            port: 80,
        });
        account.put("listeners", "l", { name: "c", loadBalancer: "lb", targetGroup: before, port: 80 });
        const again = listener.create(account, { loadBalancerArn: "lb", ...forward(after) });
        await assert.rejects(again, /DuplicateListener/);
        await assert.rejects(targetGroup.delete(account, before), /ResourceInUse/);
        // Nothing is balanced here: that requires an existing load balancer.
        account.remove("loadBalancers", "lb");
        await listener.update!(account, "l", forward(after));
        await targetGroup.delete(account, before);
        await assert.rejects(targetGroup.delete(account, after), /ResourceInUse/);
    });
});
