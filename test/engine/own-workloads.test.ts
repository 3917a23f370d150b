import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Account } from "../../simulator/clouds/aws/account";
import { PaperStack } from "./paper/paper-stack";
import { type Run, succeeded } from "./workspace";

const example = resolve(__dirname, "../../examples/own-workloads-program.ts");
const index = resolve(__dirname, "../../index");

/** The example, with other options of its cluster and another image. */
const program = (options = "", image = "1.29.4") =>
    readFileSync(example, "utf8")
        .replace("../index", index)
        .replace('    region: "eu-central-1",\n', `$&${options}`)
        .replace("nginx:1.29.4", `nginx:${image}`);

const own = [
    "kubernetes:core/v1:Namespace shop",
    "kubernetes:apps/v1:Deployment web",
    "kubernetes:helm.sh/v3:Release podinfo",
];

interface Step {
    readonly op: string;
    readonly urn: string;
    readonly type: string;
}

describe("a program with a cluster and workloads in it, with the real engine in a dry run,", function () {
    this.timeout(300_000);
    let stack: PaperStack;
    let account: Account;
    let brought: readonly string[];

    /** The engine's steps in the last operation, in order. */
    const steps = (): Step[] =>
        stack
            .events()
            .trim()
            .split("\n")
            .flatMap((line) => JSON.parse(line).resourcePreEvent?.metadata ?? []);
    const nameOf = ({ urn, type }: Step) => `${type} ${urn.slice(urn.lastIndexOf("::") + 2)}`;
    /** What happens to the program's own resources in the cluster. */
    const done = async (running: Promise<Run>, isFailure = false) => {
        const { exitCode, output } = await running;
        assert.equal(exitCode !== 0, isFailure, output);
        const all = steps().filter((step) => own.includes(nameOf(step)));
        return { output, operations: Object.fromEntries(all.map((step) => [nameOf(step), step.op])) };
    };
    const all = (op: string) => Object.fromEntries(own.map((name) => [name, op]));

    before(async () => {
        stack = await PaperStack.create("aws", { "aws:region": "eu-central-1" }, program());
        account = stack.account as Account;
        brought = account.left;
    });
    after(() => stack?.remove());

    it("is created in one up, the workloads last, and unchanged in the next preview", async () => {
        assert.deepEqual((await done(stack.operation("up"))).operations, all("create"));
        const created = steps().map(nameOf);
        const [workloads, cluster] = [true, false].map((isOwn) =>
            created.flatMap((name, at) => (own.includes(name) === isOwn && !/^pulumi:/.test(name) ? [at] : [])),
        ) as [number[], number[]];
        assert.ok(Math.min(...workloads) > Math.max(...cluster), created.join("\n"));
        const { changes } = await succeeded(stack.operation("preview"));
        assert.deepEqual(Object.keys(changes), ["same"]);
    });

    for (const [list, provider] of [
        ["[1, 2]", "same"],
        ["[2, 1]", "update"],
        ["[2]", "update"],
    ] as const) {
        it(`keeps its workloads and machines while the cluster's CAs become ${list}`, async () => {
            stack.rewrite(program(`keys: { kubernetesCa: ${list} },`));
            assert.deepEqual((await done(stack.operation("preview"))).operations, all("same"));
            const isWorkloads = (step: Step) => nameOf(step) === "pulumi:providers:kubernetes blue-workloads";
            assert.deepEqual(
                steps()
                    .filter(isWorkloads)
                    .map(({ op }) => op),
                [provider],
            );
            const instances = Object.keys(account.resources.instances);
            assert.deepEqual((await done(stack.operation("up"))).operations, all("same"));
            assert.deepEqual(Object.keys(account.resources.instances), instances);
        });
    }

    it("keeps its workloads while a machine is replaced, although the preview does not know the kubeconfig", async () => {
        stack.rewrite(program('keys: { kubernetesCa: [2] }, recreate: ["blue-controller-0"],'));
        // The engine previews every object of such a provider as updated.
        assert.deepEqual((await done(stack.operation("preview"))).operations, all("update"));
        assert.ok(steps().some((step) => step.op === "replace" && nameOf(step).endsWith(" blue-controller-0")));
    });

    it("previews changes of its workloads in place while the API is away, and changes nothing then", async () => {
        account.behave({ isApiDown: true });
        stack.rewrite(program("keys: { kubernetesCa: [2] },", "1.29.5"));
        const changed = { ...all("same"), "kubernetes:apps/v1:Deployment web": "update" };
        const { operations, output } = await done(stack.operation("preview"));
        assert.deepEqual(operations, changed);
        assert.match(output, /the API is unreachable/);
        assert.deepEqual((await done(stack.operation("up"), true)).operations, {});
        account.behave({ isApiDown: false });
        assert.deepEqual((await done(stack.operation("up"))).operations, changed);
    });

    it("is destroyed, the workloads first", async () => {
        assert.deepEqual((await done(stack.operation("destroy"))).operations, all("delete"));
        const deleted = steps()
            .filter(({ op }) => op === "delete")
            .map(nameOf);
        const first = deleted.slice(0, own.length).sort();
        assert.deepEqual(first, [...own].sort(), deleted.join("\n"));
        assert.deepEqual(account.left, brought);
    });
});
