import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { Account } from "../../simulator/clouds/aws/account";
import { Workspace } from "./workspace";

const clouds = resolve(__dirname, "../../simulator/clouds/bin");
const vpcId = "vpc-0123456789abcdef0";

/** A program with resources that need no machine; `more` is appended. */
const program = (more = "") => `import { Volume } from "@pulumi/aws/ebs/volume";
import { SecurityGroup } from "@pulumi/aws/ec2/securityGroup";
import { SecurityGroupIngressRule } from "@pulumi/aws/vpc/securityGroupIngressRule";
import { Subnet } from "@pulumi/aws/ec2/subnet";
import { Role } from "@pulumi/aws/iam/role";
import { LaunchTemplate } from "@pulumi/aws/ec2/launchTemplate";
import { getZoneOutput } from "@pulumi/aws/route53/getZone";
import { secret } from "@pulumi/pulumi";

const tags = { Name: "c" };
const group = new SecurityGroup("c-nodes", { name: "c-nodes", vpcId: "${vpcId}", tags });
new SecurityGroupIngressRule("c-pods", {
    securityGroupId: group.id,
    ipProtocol: "udp",
    fromPort: 8472,
    toPort: 8472,
    referencedSecurityGroupId: group.id,
    tags,
});
new Volume("c-etcd", { availabilityZone: "eu-central-1a", type: "gp3", size: 20, encrypted: true, tags });
const role = new Role("c-a", {
    assumeRolePolicy: JSON.stringify({
        Version: "2012-10-17",
        Statement: [{ Effect: "Allow", Principal: { Service: "ec2.amazonaws.com" }, Action: "sts:AssumeRole" }],
    }),
});
export const zone = getZoneOutput({ name: "example.com" }).zoneId;
${more}
`;

describe("the simulated AWS with the real engine", function () {
    this.timeout(120_000);
    let folder: string;
    let account: Account;
    let workspaces: Workspace[];

    const create = async (text: string, env: NodeJS.ProcessEnv = {}) => {
        const asked = {
            PATH: [clouds, process.env.PATH].join(delimiter),
            PULUMI_IGNORE_AMBIENT_PLUGINS: "false",
            TRADEWIND_SIMULATED_ACCOUNT: join(folder, "account.json"),
            AWS_REGION: "",
            AWS_ACCESS_KEY_ID: "",
        };
        const workspace = await Workspace.create(text, { ...asked, ...env });
        workspaces.push(workspace);
        await workspace.pulumi("config", "set", "aws:region", "eu-central-1");
        return workspace;
    };

    beforeEach(() => {
        workspaces = [];
        folder = mkdtempSync(join(tmpdir(), "tradewind-aws-"));
        const owned = { region: "eu-central-1", zones: { Z1: "example.com" }, amis: {} };
        account = Account.open(join(folder, "account.json"), owned);
        account.put("vpcs", vpcId, { name: "c", cidr: "10.9.0.0/24" });
    });
    afterEach(() => {
        for (const workspace of workspaces) workspace.remove();
        rmSync(folder, { recursive: true });
    });

    it("previews, creates, leaves unchanged, updates and destroys", async () => {
        const workspace = await create(program());
        const preview = await workspace.preview();
        assert.equal(preview.changes.create, 5, preview.output);
        assert.deepEqual(account.left, ["vpcs c"]);

        assert.equal((await workspace.up()).exitCode, 0);
        assert.deepEqual(await workspace.outputs(), { zone: "Z1" });
        assert.match(
            account.left.join(),
            /securityGroups c-nodes,securityRules c-nodes sgr-\w+,volumes c,roles c-a-[0-9a-f]{7}$/,
        );
        assert.deepEqual((await workspace.up()).changes, { same: 5 });

        workspace.write("index.ts", program().replaceAll("8472", "4789").replace("size: 20", "size: 30"));
        assert.deepEqual((await workspace.up()).changes, { same: 3, update: 2 });
        assert.deepEqual(
            account.all("volumes").map(({ size }) => size),
            [30],
        );

        assert.equal((await workspace.destroy()).exitCode, 0);
        assert.deepEqual(account.left, ["vpcs c"]);
    });

    it("rejects in preview what the service would reject, without printing user-data", async () => {
        const template = `new LaunchTemplate("t", {
            name: "c-t",
            imageId: "flatcar",
            userData: secret(Buffer.from("token".repeat(4000)).toString("base64")),
        });`;
        const { exitCode, output } = await (await create(program(template))).preview();
        assert.notEqual(exitCode, 0);
        assert.match(output, /userData must be base64 of at most 16384 bytes \(got 26670 characters\)/);
        assert.match(output, /imageId must be an AMI's id \(got "flatcar"\)/);
        assert.match(output, /metadataOptions must be .* \(got nothing\)/);
        assert.doesNotMatch(output, /dG9rZW5/);
    });

    it("rejects in up what depends on the account", async () => {
        const subnet = (cidrBlock: string) =>
            `new Subnet("s", { vpcId: "${vpcId}", availabilityZone: "eu-central-1a", cidrBlock: "${cidrBlock}" });`;
        const workspace = await create(program(subnet("10.8.0.0/28")));
        const { exitCode, output } = await workspace.up();
        assert.notEqual(exitCode, 0);
        assert.match(
            output,
            /InvalidSubnet\.Range: The CIDR '10\.8\.0\.0\/28' is invalid: 10\.9\.0\.0\/24 does not hold/,
        );
        assert.equal((await workspace.destroy()).exitCode, 0);
        assert.deepEqual(account.left, ["vpcs c"]);
    });

    it("only works on request and in its own region, and takes no credentials", async () => {
        const unasked = await create(program(), { TRADEWIND_SIMULATED_ACCOUNT: "" });
        assert.match((await unasked.preview()).output, /simulated AWS, which was not requested/);
        const elsewhere = await create(program());
        await elsewhere.pulumi("config", "set", "aws:region", "us-east-1");
        assert.match((await elsewhere.preview()).output, /aws:region must be .* eu-central-1 \(got us-east-1\)/);
        const real = await create(program(), { AWS_ACCESS_KEY_ID: "AKIASECRET" });
        const { output } = await real.preview();
        assert.match(output, /takes no credentials: unset AWS_ACCESS_KEY_ID/);
        assert.doesNotMatch(output, /AKIASECRET/);
    });
});
