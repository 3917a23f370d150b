import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import type { Account } from "../../simulator/clouds/aws/account";
import { failStatusCheck } from "../../simulator/clouds/aws/offers";
import { startServices } from "./aws-cloud-controller";
import { owner } from "./aws-cloud-controller/account";
import { PaperStack } from "./paper/paper-stack";
import { succeeded } from "./workspace";

/** More seconds than on most days: each is added up in the account, not slept. */
const slowDay = {
    delays: { profile: 60, policy: 60, read: 30, detach: 120 },
    interfaceSeconds: 600,
    // A default of the account that breaks launches with the cluster's tag.
    hasMetadataTags: true,
};

describe("a cluster on an AWS whose services learn late of each other, in a dry run by the real engine,", function () {
    this.timeout(300_000);
    let stack: PaperStack;
    let account: Account;
    let services: ChildProcess | undefined;
    const pool = (name: string) => ({ name, instanceType: "t3.medium" });

    before(async () => {
        const defaultTags = Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8].map((number) => [`team-${number}`, "a"]));
        stack = await PaperStack.create("aws", {
            "aws:region": "eu-central-1",
            "aws:defaultTags": { tags: defaultTags },
            "tradewind:domain": "example.com",
            "tradewind:workerPools": [pool("default")],
            "tradewind:ingress": {},
        });
        account = stack.account as Account;
        account.behave(slowDay);
    });
    after(() => {
        services?.kill();
        stack?.remove();
    });

    const succeed = (...args: Parameters<PaperStack["operation"]>) => succeeded(stack.operation(...args));

    it("is created, with the provider's default tags except on objects, which take ten tags at most", async () => {
        await succeed("up");
        assert.ok(account.waited >= 60, String(account.waited));
        const resources = await stack.resources();
        // Groups launch instances and volumes with the tags of their template, which the provider leaves alone.
        assert.ok(account.all("instances").some(({ createdBy }) => createdBy));
        assert.ok(account.all("instances").every(({ tags }) => tags?.["team-8"] === "a"));
        const { inputs: template } = resources.find(({ type }) => type.includes("LaunchTemplate"))!;
        const tagged = template.tagSpecifications as { resourceType: string; tags: Record<string, string> }[];
        assert.deepEqual(
            tagged.map(({ resourceType, tags }) => [resourceType, tags["team-8"], tags["tradewind.dev/cluster"]]),
            ["instance", "volume"].map((type) => [type, "a", "test"]),
        );
        const objects = resources.filter(({ type }) => type.includes("BucketObjectv2"));
        assert.ok(objects.length > 0);
        for (const { inputs } of objects) assert.ok(!Object.hasOwn(inputs.tags as object, "team-8"));
    });

    it("reports an instance profile that stays unknown for longer than the provider waits", async () => {
        account.behave({ delays: { ...slowDay.delays, profile: 50_000 } });
        stack.configure({ "tradewind:workerPools": [pool("default"), pool("late")] });
        const { exitCode, output } = await stack.operation("up");
        assert.notEqual(exitCode, 0);
        assert.match(output, /Invalid IAM Instance Profile name/);
        account.behave(slowDay);
    });

    it("reports that the account's limit of vCPUs is reached", async () => {
        account.behave({ vcpuLimit: 4 });
        stack.configure({ "tradewind:controllers": { count: 3 } });
        const { exitCode, output } = await stack.operation("up");
        assert.notEqual(exitCode, 0);
        assert.match(
            output,
            /VcpuLimitExceeded: You have requested more vCPU capacity than your current vCPU limit of 4/,
        );
        account.behave({ vcpuLimit: 64 });
    });

    it("says what to do if a controller's zone has no capacity, which the provider waits for", async () => {
        account.behave({ lackedCapacity: [{ zone: "b", instanceType: "t3.medium" }] });
        const [impaired] = Object.entries(account.resources.instances).find(
            ([, { name }]) => name === "test-controller-0",
        )!;
        failStatusCheck(account, impaired, "instance");
        const { exitCode, output } = await stack.operation("up");
        assert.notEqual(exitCode, 0);
        assert.match(output, /InsufficientInstanceCapacity: We currently do not have sufficient t3\.medium capacity/);
        assert.match(
            output,
            /EC2 has no t3\.medium left in eu-central-1b, where test-controller-1 must be: run `pulumi up` again later, or set/,
        );
        // Only groups replace an instance that fails a status check.
        assert.ok(account.resources.instances[impaired]);
        // For ten minutes longer, which the next `up` waits for.
        account.behave({ lackedCapacity: [{ zone: "b", until: account.now + 600_000 }] });
    });

    it("goes on from there, and gives a new controller its old volume, which is detached late", async () => {
        const before = Object.keys(account.resources.volumes);
        stack.configure({ "tradewind:recreate": ["test-controller-0"] });
        await succeed("up");
        // A group launches what the limit kept from it later, in its own time.
        assert.equal(account.all("instances").filter(({ createdBy }) => !createdBy).length, 3);
        assert.ok(before.every((id) => account.resources.volumes[id]));
        assert.equal(account.all("volumeAttachments").length, 3);
    });

    it("reports a pool that AWS launches no machine of, in AWS' own words: as a warning, or as an error", async () => {
        const { accessKeyId, secretAccessKey, policy } = owner;
        account.behave({ vcpuLimit: 1, accessKeys: { [accessKeyId]: { secretAccessKey, policy } } });
        const started = await startServices(account.path);
        services = started.process;
        stack.serveAws(`http://127.0.0.1:${started.port}`, owner);
        const refused = (more: object) => {
            const pools = [pool("default"), pool("late"), { ...pool("refused"), ...more }];
            stack.configure({ "tradewind:workerPools": pools, "tradewind:joinTimeout": "1s" });
        };
        const message =
            /pool refused: 0 of 1 nodes have joined; its group test-refused has 0 of 1 instances: You have requested more vCPU capacity/;
        refused({});
        assert.match((await succeed("up")).output, message);
        // Nothing of it changes, so it is not watched.
        assert.doesNotMatch((await succeed("up")).output, /pool refused/);
        stack.configure({ "tradewind:joinFailure": "error" });
        refused({ diskSize: 40 });
        const { exitCode, output } = await stack.operation("up");
        assert.notEqual(exitCode, 0);
        assert.match(output, message);
    });

    it("is destroyed, although interfaces and volumes outlive what used them", async () => {
        await succeed("destroy");
        assert.deepEqual(
            account.left.filter((each) => !/theirs|^subnets \d/.test(each)),
            [],
        );
    });
});
