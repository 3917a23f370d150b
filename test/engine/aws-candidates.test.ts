import assert from "node:assert/strict";
import type { Account } from "../../simulator/clouds/aws/account";
import { describeLong } from "../takes-long";
import { PaperStack } from "./paper/paper-stack";

describeLong("candidates for controllers on AWS, with the real engine in a dry run,", function () {
    this.timeout(400_000);
    let stack: PaperStack;
    /** What the account has before the cluster. */
    let brought: readonly string[];

    const candidates = { "tradewind:controllers": { count: 3, candidates: ["default"] } };
    const none = { "tradewind:controllers": { count: 3 } };
    const candidateNames = ["test-default-0", "test-default-1"];

    before(async () => {
        stack = await PaperStack.create("aws", {
            "aws:region": "eu-central-1",
            "tradewind:domain": "example.com",
            "tradewind:ingress": {},
            // Nothing joins in a dry run.
            "tradewind:joinTimeout": "1s",
            "tradewind:workerPools": [{ name: "default", count: 2 }],
            ...none,
        });
        brought = account().left;
    });
    after(() => stack?.remove());

    const account = () => stack.account as Account;
    const idsOf = (kind: "instances", filter: (name: string) => boolean) =>
        Object.entries(account().resources[kind])
            .filter(([, { name }]) => filter(name))
            .map(([id]) => id);
    const run = async (command: "preview" | "up", config: Record<string, unknown>, ...args: string[]) => {
        stack.configure(config);
        const { exitCode, output } = await stack.operation(command, ...args);
        assert.equal(exitCode, 0, output);
        return output;
    };
    const controllers = () => idsOf("instances", (name) => name.startsWith("test-controller-"));
    const named = () => candidateNames.flatMap((name) => idsOf("instances", (each) => each === name));
    const groups = () =>
        account()
            .all("autoScalingGroups")
            .map(({ name }) => name);
    /** Targets of the API and of ingress. */
    const targets = () => account().all("targets").length;

    it("replace the group of a pool by instances, and leave the controllers", async () => {
        await run("up", none);
        const before = controllers();
        assert.deepEqual([groups(), named(), targets()], [["test-default"], [], 3]);
        const preview = await run("preview", candidates, "--diff");
        assert.match(preview, /\+ aws:ec2\/instance:Instance: \(create\)/);
        assert.match(preview, /- aws:autoscaling\/group:Group: \(delete\)/);
        const output = await run("up", candidates);
        assert.match(output, /pool default: 0 of 2 nodes have joined; not joined: test-default-0, test-default-1; see/);
        assert.deepEqual(controllers(), before);
        assert.deepEqual([groups(), named().length, targets()], [[], 2, 3 + 2 * 3]);
        await run("preview", {}, "--expect-no-changes");
    });

    it("are refused what only a group can do", async () => {
        stack.configure({ "tradewind:workerPools": [{ name: "default", count: 2, spot: {} }] });
        const { exitCode, output } = await stack.operation("preview");
        assert.notEqual(exitCode, 0, output);
        assert.match(output, /workerPools\[0\]\.spot conflicts with controllers\.candidates \(got \{\}\)/);
    });

    it("keep their machines when their boot configuration changes, unless they are recreated, one at a time", async () => {
        const [first, second] = named();
        await run("up", {
            "tradewind:workerPools": [{ name: "default", count: 2, labels: { "example.com/a": "b" } }],
        });
        assert.deepEqual(named(), [first, second]);
        await run("up", { "tradewind:recreate": ["test-default-1"] });
        const [kept, recreated] = named();
        assert.equal(kept, first);
        assert.notEqual(recreated, second);
        assert.equal(targets(), 3 + 2 * 3);
        await run("up", { "tradewind:recreate": [] });
        await run("preview", {}, "--expect-no-changes");
    });

    it("grow and shrink by single machines", async () => {
        const before = named();
        await run("up", { "tradewind:workerPools": [{ name: "default", count: 3 }] });
        assert.equal(idsOf("instances", (name) => name === "test-default-2").length, 1);
        await run("up", { "tradewind:workerPools": [{ name: "default", count: 2 }] });
        assert.equal(idsOf("instances", (name) => name === "test-default-2").length, 0);
        assert.deepEqual(named(), before);
    });

    it("become a group again, and leave nothing in the account", async () => {
        const before = controllers();
        await run("up", none);
        assert.deepEqual([groups(), named(), targets()], [["test-default"], [], 3]);
        assert.deepEqual(controllers(), before);
        await run("preview", {}, "--expect-no-changes");
        await stack.operation("destroy");
        assert.deepEqual(account().left, brought);
    });
});
