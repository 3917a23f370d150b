import assert from "node:assert/strict";
import { resolve } from "node:path";
import type { Account } from "../../simulator/clouds/aws/account";
import { PaperStack } from "./paper/paper-stack";
import { succeeded } from "./workspace";

const component = (path: string) => JSON.stringify(resolve(__dirname, "../../components", path));

/** A controller's instance, with the hook of ours that explains errors. */
const program = (instanceType: string) => `import { Instance } from "@pulumi/aws/ec2/instance";
import { InternetGateway } from "@pulumi/aws/ec2/internetGateway";
import { Route } from "@pulumi/aws/ec2/route";
import { RouteTable } from "@pulumi/aws/ec2/routeTable";
import { RouteTableAssociation } from "@pulumi/aws/ec2/routeTableAssociation";
import { SecurityGroup } from "@pulumi/aws/ec2/securityGroup";
import { Subnet } from "@pulumi/aws/ec2/subnet";
import { Vpc } from "@pulumi/aws/ec2/vpc";
import { capacityProblem } from ${component("aws/machines/named-instance")};
import { explained } from ${component("pulumi/explained")};

const tags = { Name: "c" };
const vpc = new Vpc("c", { cidrBlock: "10.9.0.0/16", enableDnsHostnames: true, tags });
const subnet = new Subnet("c", { vpcId: vpc.id, cidrBlock: "10.9.1.0/24", availabilityZone: "eu-central-1a", tags });
const gateway = new InternetGateway("c", { vpcId: vpc.id, tags });
const table = new RouteTable("c", { vpcId: vpc.id, tags });
const route = new Route("c", { routeTableId: table.id, destinationCidrBlock: "0.0.0.0/0", gatewayId: gateway.id });
const way = new RouteTableAssociation("c", { routeTableId: table.id, subnetId: subnet.id });
const group = new SecurityGroup("c", { name: "c", vpcId: vpc.id, tags });
new Instance("c", {
    ami: "ami-0123456789abcdef0",
    instanceType: "${instanceType}",
    subnetId: subnet.id,
    vpcSecurityGroupIds: [group.id],
    metadataOptions: { httpEndpoint: "enabled", httpTokens: "required", httpPutResponseHopLimit: 1 },
    rootBlockDevice: { volumeType: "gp3", volumeSize: 20, encrypted: true, tags },
    userData: "{}",
    tags,
}, { dependsOn: [route, way], hooks: explained("c", (error) => capacityProblem("c", "controllers", error)) });
`;

describe("a controller that gets a type without capacity in its zone, with the real engine in a dry run,", function () {
    this.timeout(120_000);
    let stack: PaperStack;
    let account: Account;
    const instance = () => account.all("instances").map(({ spec, state }) => [spec?.instanceType, state]);

    before(async () => {
        stack = await PaperStack.create("aws", { "aws:region": "eu-central-1" }, program("t3.medium"));
        account = stack.account as Account;
        await succeeded(stack.operation("up"));
    });
    after(() => stack?.remove());

    it("stays stopped, and starts with its former type, as up says", async () => {
        account.behave({ lackedCapacity: [{ zone: "a", instanceType: "t3.large" }] });
        stack.rewrite(program("t3.large"));
        const { exitCode, output } = await stack.operation("up");
        assert.notEqual(exitCode, 0);
        assert.match(output, /starting EC2 Instance \(i-\w+\): .*StartInstances, .* InsufficientInstanceCapacity/);
        assert.match(output, /EC2 has no t3\.large left in eu-central-1a, where c must be, so it stays stopped: set/);
        assert.deepEqual(instance(), [["t3.large", "stopped"]]);
        stack.rewrite(program("t3.medium"));
        await succeeded(stack.operation("up"));
        assert.deepEqual(instance(), [["t3.medium", undefined]]);
    });
});
