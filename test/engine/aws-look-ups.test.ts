import assert from "node:assert/strict";
import type { Account } from "../../simulator/clouds/aws/account";
import { PaperStack } from "./paper/paper-stack";
import { succeeded } from "./workspace";

describe("a preview on AWS, with the real engine in a dry run,", function () {
    this.timeout(300_000);
    let stack: PaperStack;
    let account: Account;

    const config = {
        "aws:region": "eu-central-1",
        "tradewind:name": "c",
        "tradewind:domain": "example.com",
        "tradewind:zones": ["a", "b"],
        "tradewind:workerPools": [{ name: "w" }],
    };

    before(async () => {
        stack = await PaperStack.create("aws", config);
        account = stack.account as Account;
    });
    after(() => stack?.remove());

    async function refused(...messages: RegExp[]): Promise<void> {
        const { exitCode, output } = await stack.operation("preview");
        assert.notEqual(exitCode, 0, output);
        for (const message of messages) assert.match(output, message);
        assert.doesNotMatch(output, / {4}at .*\.ts/);
    }

    const foreign = { vpc: "vpc-0123456789abcdef0", address: "10.40.0.9", groups: [], tags: {} };

    it("refuses a name that another cluster has, by its load balancer, and creates nothing", async () => {
        const brought = account.left;
        const arn = account.arn("elasticloadbalancing", "loadbalancer/net/c-api/0123456789abcdef");
        const subnets = ["subnet-0123456789abcde01"];
        account.put("loadBalancers", arn, { name: "c-api", dnsName: "theirs.elb", subnets, ...foreign });
        const message =
            /the cluster's name must be one that no other cluster in eu-central-1 has \(got c\): the load balancer c-api in vpc-0123456789abcdef0 exists already/;
        await refused(message);
        const { exitCode, output } = await stack.operation("up");
        assert.notEqual(exitCode, 0);
        assert.match(output, message);
        assert.deepEqual(account.all("vpcs").length, 1);
        account.remove("loadBalancers", arn);
        await succeeded(stack.operation("destroy"));
        assert.deepEqual(account.left, brought);
    });

    it("refuses a name by the tag of a VPC, and a quota", async () => {
        const { vpc } = foreign;
        account.change("vpcs", vpc, (now) => ({ ...now, tags: { "kubernetes.io/cluster/c": "owned" } }));
        account.behave({ quotas: { "L-F678F1CE": 1 } });
        await refused(
            /got c\): the VPC vpc-0123456789abcdef0 with the tag kubernetes\.io\/cluster\/c exists already/,
            /the account's quota of VPCs in eu-central-1 must be at least 2, 1 exist and 1 is to be created \(got 1\): /,
        );
        account.change("vpcs", vpc, ({ tags: _, ...now }) => now);
        account.behave({ quotas: {} });
    });

    it("refuses to inherit the account's default key for EBS, unless it is AWS' own", async () => {
        const key = "arn:aws:kms:eu-central-1:123456789012:key/01234567-89ab-cdef-0123-456789abcdef";
        account.behave({ defaultKmsKey: key });
        await refused(
            /kmsKeyId must be set, because the account's default key for EBS in eu-central-1 is not AWS' own/,
        );
        stack.configure({ "tradewind:kmsKeyId": key });
        await succeeded(stack.operation("preview"));
        stack.configure({ "tradewind:kmsKeyId": undefined });
        account.behave({ defaultKmsKey: undefined });
    });

    it("refuses names of buckets that exist, in this account or another one", async () => {
        stack.configure({
            "tradewind:snapshotBucket": { name: "acme-snapshots" },
            "tradewind:serviceAccountRoles": { bucket: "acme-issuer" },
        });
        await succeeded(stack.operation("preview"));
        account.put("buckets", "acme-snapshots", { name: "acme-snapshots", isForced: false });
        await refused(/snapshotBucket\.name must be .* \(got acme-snapshots, which exists and is of this account\): /);
        account.remove("buckets", "acme-snapshots");
        account.behave({ foreignBuckets: ["acme-issuer"] });
        await refused(
            /serviceAccountRoles\.bucket must be .* \(got acme-issuer, which exists and is of another account\): /,
        );
        account.behave({ foreignBuckets: [] });
        stack.configure({ "tradewind:snapshotBucket": undefined, "tradewind:serviceAccountRoles": undefined });
    });

    it("refuses names of a record and of a launch template that exist", async () => {
        account.put("records", "Z1_api.c.example.com_A", { name: "api.c.example.com", address: "203.0.113.9" });
        await refused(/the A record api\.c\.example\.com in Z1 exists already/);
        account.remove("records", "Z1_api.c.example.com_A");
        const pool = { "tradewind:name": "c-d", "tradewind:workerPools": [{ name: "e-f" }] };
        stack.configure(pool);
        const spec = { ami: "ami-0123456789abcdef0", instanceType: "t3.medium", userData: "{}", groups: [] };
        account.put("launchTemplates", "lt-0123456789abcdef0", { name: "c-d-e-f", versions: [spec] });
        await refused(/got e-f in cluster c-d\): the launch template c-d-e-f exists already/);
        account.remove("launchTemplates", "lt-0123456789abcdef0");
        stack.configure(config);
    });

    it("refuses a controller's type that its zone does not have, and warns for a pool", async () => {
        account.behave({ withheldTypes: [{ zone: "a", instanceType: "t3.medium" }] });
        stack.configure({ "tradewind:name": "c" });
        await refused(
            /controllers\.instanceType must be a type that eu-central-1a has, where c-controller-0 would be \(got t3\.medium, which is only in eu-central-1b, eu-central-1c\)/,
            /pool w gets no instances in eu-central-1a, which does not have t3\.medium/,
        );
        account.behave({ withheldTypes: [] });
    });

    it("warns of a domain that is delegated elsewhere", async () => {
        account.behave({ nameServers: { "example.com": ["ns1.other.net"] } });
        const { output } = await succeeded(stack.operation("preview"));
        assert.match(
            output,
            /domain example\.com is not delegated to the hosted zone Z1 of Route 53, .*: its name servers are ns1\.other\.net\. Set ns-1\.awsdns-01\.org, /,
        );
        account.behave({ nameServers: {} });
    });

    it("lets the cluster be created and grow, but refuses to delete its load balancer for fewer zones", async () => {
        await succeeded(stack.operation("up"));
        const [balancer] = Object.keys(account.resources.loadBalancers);
        const { changes } = await succeeded(stack.operation("preview"));
        assert.deepEqual(Object.keys(changes), ["same"]);
        // A default that changes later concerns instances of a group, too.
        account.behave({ defaultKmsKey: "arn:aws:kms:eu-central-1:123456789012:key/new" });
        const { output } = await succeeded(stack.operation("preview"));
        assert.match(output, /warning: kmsKeyId must be set, because the account's default key for EBS/);
        account.behave({ defaultKmsKey: undefined });
        // Its own name is not taken by another cluster.
        await succeeded(stack.operation("preview", "--replace", "**LoadBalancer::c-api"));
        // One that its stack created is no other bucket of the name.
        stack.configure({ "tradewind:zones": ["a", "b", "c"], "tradewind:snapshotBucket": { name: "acme-snapshots" } });
        await succeeded(stack.operation("up"));
        assert.equal(account.find("loadBalancers", balancer).subnets.length, 3);
        await succeeded(stack.operation("preview"));
        stack.configure({ "tradewind:zones": ["a", "b"] });
        await refused(
            /zones must keep the zones of the load balancer c-api \(got none for subnet-\w+\): it would be deleted/,
        );
        const { exitCode } = await stack.operation("up");
        assert.notEqual(exitCode, 0);
        assert.deepEqual(Object.keys(account.resources.loadBalancers), [balancer]);
    });
});
