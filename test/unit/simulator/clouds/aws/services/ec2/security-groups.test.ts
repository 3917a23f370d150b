import assert from "node:assert/strict";
import { ec2 } from "../../../../../../../simulator/clouds/aws/services/ec2";
import { asked, tagForm } from "../query/asked";

const version = "2016-11-15";
const tag = "kubernetes.io/cluster/c";
const group = (tags: Record<string, string>, name = "k8s-elb-a") => ({
    GroupName: name,
    GroupDescription: "of a Service",
    VpcId: "vpc-1",
    "TagSpecification.1.ResourceType": "security-group",
    ...tagForm("TagSpecification.1.Tag", tags),
});

describe("security groups of a simulated account, as used by the cloud controller", () => {
    it("are created with the cluster's tag, and their creator is recorded", async () => {
        const { account, ask } = asked(ec2, version);
        const created = await ask("CreateSecurityGroup", group({ [tag]: "owned" }));
        assert.equal(created.status, 200, created.text);
        const [id, { tags, createdBy }] = Object.entries(account.resources.securityGroups)[0]!;
        assert.deepEqual([tags, createdBy], [{ [tag]: "owned" }, "r"]);
        assert.match(created.text, new RegExp(`<groupId>${id}</groupId>`));
        const observed = await ask("DescribeSecurityGroups", {
            "Filter.1.Name": "group-name",
            "Filter.1.Value.1": "k8s-elb-a",
        });
        assert.match(observed.text, new RegExp(`<groupId>${id}</groupId>.*<key>${tag}</key><value>owned</value>`));
    });

    it("are not created without the tag, or twice", async () => {
        const { ask, calls } = asked(ec2, version);
        const wrong: Record<string, string>[] = [{}, { [tag]: "shared" }, { "kubernetes.io/cluster/other": "owned" }];
        for (const tags of wrong) {
            const { status, code } = await ask("CreateSecurityGroup", group(tags));
            assert.deepEqual([status, code], [403, "UnauthorizedOperation"]);
        }
        assert.match(
            calls()[0]!,
            /^the role r is not authorized to perform ec2:CreateSecurityGroup on .*security-group/,
        );
        await ask("CreateSecurityGroup", group({ [tag]: "owned" }));
        assert.equal((await ask("CreateSecurityGroup", group({ [tag]: "owned" }))).code, "InvalidGroup.Duplicate");
    });

    it("are not opened or deleted without the cluster's tag", async () => {
        const { account, ask } = asked(ec2, version);
        account.put("securityGroups", "sg-1", { name: "of somebody", vpc: "vpc-1" });
        for (const action of ["AuthorizeSecurityGroupIngress", "RevokeSecurityGroupIngress", "DeleteSecurityGroup"]) {
            assert.equal((await ask(action, { GroupId: "sg-1" })).code, "UnauthorizedOperation", action);
        }
    });

    it("are opened but not deleted if the stack created them", async () => {
        const { account, ask } = asked(ec2, version);
        const tags = { [tag]: "owned", "tradewind.dev/cluster": "c" };
        account.put("securityGroups", "sg-2", { name: "workers", vpc: "vpc-1", tags });
        assert.equal((await ask("RevokeSecurityGroupIngress", { GroupId: "sg-2" })).code, "MissingParameter");
        assert.equal((await ask("DeleteSecurityGroup", { GroupId: "sg-2" })).code, "UnauthorizedOperation");
    });

    it("cannot be tagged afterwards", async () => {
        const { account, ask } = asked(ec2, version);
        account.put("securityGroups", "sg-1", { name: "of somebody", vpc: "vpc-1" });
        const form = { "ResourceId.1": "sg-1", "Tag.1.Key": tag, "Tag.1.Value": "owned" };
        assert.equal((await ask("CreateTags", form)).code, "UnauthorizedOperation");
    });

    it("list rules of the same ports together", async () => {
        const { account, ask } = asked(ec2, version);
        account.put("securityGroups", "sg-1", { name: "g", vpc: "vpc-1" });
        const rule = { name: "", group: "sg-1", isIngress: true, protocol: "tcp", fromPort: 80, toPort: 80 };
        account.put("securityRules", "1", { ...rule, cidr: "10.0.0.0/8", description: "a" });
        account.put("securityRules", "2", { ...rule, cidr: "0.0.0.0/0" });
        account.put("securityRules", "3", { name: "", group: "sg-1", isIngress: true, protocol: "-1", peer: "sg-9" });
        const { text } = await ask("DescribeSecurityGroups", { "GroupId.1": "sg-1" });
        assert.match(
            text,
            /<ipRanges><item><cidrIp>10.0.0.0\/8<\/cidrIp><description>a<\/description><\/item><item><cidrIp>0.0.0.0\/0<\/cidrIp><\/item><\/ipRanges>/,
        );
        assert.match(text, /<ipProtocol>-1<\/ipProtocol><groups><item><groupId>sg-9<\/groupId>/);
        assert.equal((await ask("DescribeSecurityGroups", { "GroupId.1": "sg-0" })).code, "InvalidGroup.NotFound");
    });
});
