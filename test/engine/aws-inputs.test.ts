import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Account } from "../../simulator/clouds/aws/account";
import { PaperStack } from "./paper/paper-stack";
import { succeeded } from "./workspace";

const example = resolve(__dirname, "../../examples/aws-network-program.ts");
const index = resolve(__dirname, "../../index");

/** The example, whose VPC may have another block than it tells its cluster. */
const program = (vpcCidr = "vpcCidr") =>
    readFileSync(example, "utf8")
        .replace("../index", index)
        .replace(/^ +vpcCidr,$/m, `vpcCidr: ${vpcCidr},`);
const wrong = program('"10.70.0.0/16"');

describe("a program that creates a VPC, a zone and a cluster in them, with the real engine in a dry run,", function () {
    this.timeout(300_000);
    let stack: PaperStack;
    let account: Account;
    let brought: readonly string[];

    before(async () => {
        stack = await PaperStack.create("aws", { "aws:region": "eu-central-1" }, program());
        account = stack.account as Account;
        brought = account.left;
    });
    after(() => stack?.remove());

    it("is previewed whole, and the preview names what it could not check", async () => {
        const { output } = await succeeded(stack.operation("preview"));
        assert.match(
            output,
            /not checked in this preview, because the resources they come from do not exist yet: publicZone, vpcId, subnetIds, inboundRules\.from, tags\.network\. /,
        );
        assert.match(output, /Instance\s+blue-controller-0/);
        assert.match(output, /Group\s+blue-default/);
    });

    it("refuses in up, before anything is created in it, a VPC that is another one than the cluster is for", async () => {
        stack.rewrite(wrong);
        const { exitCode, output } = await stack.operation("up");
        assert.notEqual(exitCode, 0);
        assert.match(output, /vpcCidr must be the block of vpc-\w+, 10\.60\.0\.0\/16 \(got 10\.70\.0\.0\/16\)/);
        assert.doesNotMatch(output, / {4}at .*\.ts/);
        assert.deepEqual(account.all("instances"), []);
        assert.deepEqual(account.all("loadBalancers"), []);
        await succeeded(stack.operation("destroy"));
    });

    it("creates all of it in one up, in the new VPC and the new zone", async () => {
        stack.rewrite(program());
        account.behave({ nameServers: { "team.example.org": [] } });
        const { output } = await succeeded(stack.operation("up"));
        assert.match(output, /domain team\.example\.org is not delegated to the hosted zone Z\w+ of Route 53/);
        assert.doesNotMatch(output, /not checked in this preview/);
        const [vpc] = Object.entries(account.resources.vpcs).find(([, { name }]) => name === "team")!;
        const nodes = account.all("instances");
        assert.equal(nodes.length, 2);
        assert.deepEqual([...new Set(nodes.map((each) => each.vpc))], [vpc]);
        const [group] = Object.entries(account.resources.securityGroups).find(([, { name }]) =>
            /monitoring/.test(name),
        )!;
        assert.ok(account.all("securityRules").some(({ peer, fromPort }) => peer === group && fromPort === 9100));
        assert.ok(nodes.every(({ tags = {} }) => tags.network === vpc));
        const [zone] = Object.keys(account.resources.hostedZones);
        assert.deepEqual(Object.keys(account.resources.records), [`${zone}_api.blue.team.example.org_A`]);
    });

    it("is unchanged in the next preview, which checks everything", async () => {
        const { changes, output } = await succeeded(stack.operation("preview"));
        assert.deepEqual(Object.keys(changes), ["same"]);
        assert.doesNotMatch(output, /not checked in this preview/);
        stack.rewrite(wrong);
        const refused = await stack.operation("preview");
        assert.match(refused.output, /vpcCidr must be the block of vpc-\w+, 10\.60\.0\.0\/16 \(got 10\.70\.0\.0\/16\)/);
        stack.rewrite(program());
    });

    it("is destroyed whole, the cluster before its network", async () => {
        await succeeded(stack.operation("destroy"));
        assert.deepEqual(account.left, brought);
    });
});
