import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describeLongIf } from "../takes-long";
import { golden } from "../unit/golden";
import { givenAway, secretsOf } from "./cloud-secrets/secrets";
import { S3Server } from "./etcd-keeper/s3-server";
import type { CloudName } from "./paper/clouds";
import { PaperStack } from "./paper/paper-stack";
import { shownDiagnostics, slimmed } from "./paper/recorded-events";
import { type Change, type Reviewed, reviewed } from "./preview-comment/changes";

const tradewind = resolve(__dirname, "../../dev/tradewind.cjs");
const recorded = resolve(__dirname, "../unit/cli/preview/recorded");

for (const [cloud, { config, changes }] of Object.entries(reviewed) as [CloudName, Reviewed][]) {
    const repeats = cloud === "aws";
    describeLongIf(repeats, `the comment on a change of a cluster on ${cloud}, with the real engine`, function () {
        this.timeout(240_000);
        let stack: PaperStack;
        let stored: ReturnType<PaperStack["stored"]>;
        /** The state as exported, secrets encrypted. */
        let left: string;
        const told: string[] = [];
        const all = { ...config, "tradewind:domain": "example.com" };

        const preview = async (...args: string[]) => {
            const run = await stack.program(tradewind, "preview", ...args);
            told.push(run.stdout, run.stderr);
            return run;
        };
        const record = async (name: string, isRefused: boolean) => {
            if (!process.env.RECORD_EVENTS) return;
            const { exitCode, output } = await stack.operation("preview");
            assert.equal(exitCode !== 0, isRefused, output);
            mkdirSync(recorded, { recursive: true });
            writeFileSync(join(recorded, `${cloud}-${name}.jsonl`), slimmed(stack.events()));
        };

        before(async () => {
            stack = await PaperStack.create(cloud, all);
            const { exitCode, output } = await stack.operation("up");
            assert.equal(exitCode, 0, output);
            stored = stack.stored();
            left = (await stack.run("stack", "export")).output;
        });
        after(() => stack?.remove());
        beforeEach(() => stack.configure(all));

        const says = ({ name, config: changed, says: words, isRefused = false, aged, terminal }: Change) =>
            it(`explains a change: ${name}`, async () => {
                if (aged) {
                    stack.write("aged.json", aged(left));
                    await stack.run("stack", "import", "--file", "aged.json");
                }
                stack.configure(changed);
                await record(name, isRefused);
                const { exitCode, stdout, stderr } = await preview("--stack", "test");
                assert.equal(exitCode, isRefused ? 1 : 0, `${stdout}${stderr}`);
                const heading = isRefused ? "✗ `test`: the preview failed" : "`test`";
                assert.ok(stdout.startsWith(`<!-- tradewind preview: test -->\n## ${heading}\n`), stdout);
                for (const each of words) assert.match(stdout, each);
                if (terminal) {
                    const { output } = await stack.operation("preview");
                    told.push(output);
                    golden(__dirname, terminal, shownDiagnostics(output));
                }
            });

        for (const change of changes) if (!change.aged) says(change);

        if (cloud === "aws") alsoOnAws();
        else alsoOnDigitalOcean();

        it("writes nothing to the state", () => {
            assert.deepEqual(stack.stored(), stored);
        });

        // The state is different from here on.
        for (const change of changes) if (change.aged) says(change);

        it("reveals no secret", async () => {
            assert.ok(told.length > 2 * changes.length);
            assert.deepEqual(givenAway(told, secretsOf(await stack.resources())), []);
        });

        function alsoOnDigitalOcean() {
            it("works with the state in S3", async () => {
                const store = new S3Server();
                await store.start();
                const place = `s3://${store.bucket}?endpoint=${store.endpoint}&s3ForcePathStyle=true&region=us-east-1`;
                const [id, key] = Object.values(store.secrets);
                const access = [`AWS_ACCESS_KEY_ID=${id}`, `AWS_SECRET_ACCESS_KEY=${key}`, "AWS_REGION=us-east-1"];
                const inS3 = async (program: string, ...args: string[]) => {
                    const run = await stack.program("env", `PULUMI_BACKEND_URL=${place}`, ...access, program, ...args);
                    assert.equal(run.exitCode, 0, `${run.stdout}${run.stderr}`);
                    return run.stdout;
                };
                await stack.run("stack", "export", "--file", "state.json");
                await inS3("pulumi", "stack", "init", "test");
                await inS3("pulumi", "stack", "import", "--file", "state.json", "--stack", "test");
                stack.configure({ "tradewind:workerPools": [{ name: "default", count: 2 }] });
                const comment = await inS3(tradewind, "preview", "--stack", "test");
                told.push(comment);
                assert.match(comment, /`test-old-0` \| removed/);
                await store.remove();
            });
        }

        function alsoOnAws() {
            it("lists steps in the stack's order of dependencies", async () => {
                const dependencies = await stack.dependencies();
                const urnOf = (name: string) => [...dependencies.keys()].find((urn) => urn.endsWith(`:${name}`))!;
                const waitsFor = (urn: string, other: string, seen = new Set<string>()): boolean =>
                    (dependencies.get(urn) ?? []).some((each) => {
                        if (each === other) return true;
                        return !seen.has(each) && waitsFor(each, other, seen.add(each));
                    });
                const names = [
                    "checkpointer",
                    "kube-apiserver",
                    "kube-scheduler",
                    "kube-proxy",
                    "node-agent-controller",
                ];
                const objects = [...names, "node-agent-default", "node-agent-fresh"];
                const order = [
                    ...objects.map((name) => `DaemonSet::test/daemonset/kube-system/${name}`),
                    "Group::test-fresh",
                ].map(urnOf);
                for (const [index, urn] of order.entries()) {
                    if (index > 0) assert.ok(waitsFor(urn, order[index - 1]!), `${urn} after ${order[index - 1]}`);
                }
            });

            it("reports that the stack does not exist", async () => {
                const { exitCode, stdout } = await preview("--stack", "other");
                assert.equal(exitCode, 1);
                assert.match(
                    stdout,
                    /## ✗ `other`: the preview failed\n\n```text\nerror: no stack named 'other' found/,
                );
            });

            it("is the same from the output of preview --json, except for what machines boot with", async () => {
                stack.configure({ "tradewind:components": { kubeScheduler: { v: "4" } } });
                const whole = ["preview", "--json", "--show-sames", "--suppress-progress"];
                const { stdout: document } = await stack.program("pulumi", ...whole, "--non-interactive");
                stack.write("events.json", document);
                const [read, run] = [
                    await preview("--events", "events.json"),
                    await preview("--no-node-configs", "--stack", "test"),
                ];
                assert.equal(read.exitCode, 0, read.stderr);
                assert.match(read.stdout, /1\. \*\*kube-scheduler\*\*/);
                assert.equal(read.stdout, run.stdout);
            });
        }
    });
}
