import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describeInTurn, onPaper } from "../takes-long";
import { givenAway, secretsOf } from "./cloud-secrets/secrets";
import { S3Server } from "./etcd-keeper/s3-server";
import type { CloudName } from "./paper/clouds";
import { PaperStack } from "./paper/paper-stack";
import { slimmed } from "./paper/recorded-events";

const tradewind = resolve(__dirname, "../../cli/tradewind.cjs");
const recorded = resolve(__dirname, "../unit/cli/preview/recorded");
const downloads = { kubelet: { sha256: "0".repeat(64) } };

interface Change {
    readonly name: string;
    readonly config: Readonly<Record<string, unknown>>;
    /** What the comment has to say. */
    readonly says: readonly RegExp[];
}

interface Reviewed {
    readonly config: Readonly<Record<string, unknown>>;
    readonly changes: readonly Change[];
}

const reviewed: Readonly<Record<CloudName, Reviewed>> = {
    aws: {
        config: {
            "aws:region": "eu-central-1",
            "tradewind:controllers": { count: 3 },
            "tradewind:kubernetesVersion": "1.35.4",
            "tradewind:pools": [
                { name: "default", count: 2 },
                { name: "fresh", count: 3, instanceRefresh: {} },
            ],
        },
        changes: [
            {
                name: "upgrade",
                config: { "tradewind:kubernetesVersion": "1.36.3" },
                says: [
                    /\| `kube-apiserver`.* \| 1\.35\.4 \| 1\.36\.3 \|/,
                    /1\. \*\*kube-apiserver\*\*[\s\S]*6\. \*\*the kubelets of fresh\*\*[\s\S]*7\. \*\*the machines of test-fresh\*\*/,
                    /`test-fresh` \| its 3 machines are made anew/,
                    /^@@ test-default-config, test-fresh-config @@$/m,
                    /^ \/opt\/tradewind\/kubelet\/kubelet\.env changes:$/m,
                ],
            },
            {
                name: "larger-controllers",
                config: { "tradewind:controllers": { count: 3, instanceType: "m7i.large" } },
                says: [
                    /`test-controller-2` \| stopped for another size, by instanceType .* \| one of 3 controllers at a time is drained/,
                ],
            },
        ],
    },
    digitalocean: {
        config: {
            "tradewind:region": "fra1",
            "tradewind:image": "170000001",
            "tradewind:sshKeys": ["42"],
            "tradewind:pools": [{ name: "default", count: 2 }, { name: "old" }],
        },
        changes: [
            {
                name: "other-pools",
                config: {
                    "tradewind:pools": [
                        { name: "default", count: 3 },
                        { name: "other", size: "s-4vcpu-8gb" },
                    ],
                },
                says: [/`test-old-0` \| goes/, /`test-default-2` \| comes/],
            },
            {
                name: "larger-controllers",
                config: { "tradewind:controllers": { size: "s-4vcpu-8gb" } },
                says: [/`test-controller-0` \| stopped for another size/],
            },
        ],
    },
};

for (const [cloud, { config, changes }] of Object.entries(reviewed) as [CloudName, Reviewed][]) {
    const turns = [onPaper(cloud), "comments and plugin"] as const;
    describeInTurn(turns, `the comment on a change of a cluster on ${cloud}, by the real engine`, function () {
        this.timeout(240_000);
        let stack: PaperStack;
        let stored: ReturnType<PaperStack["stored"]>;
        const told: string[] = [];
        const all = { ...config, "tradewind:domain": "example.com", "tradewind:downloads": downloads };

        const preview = async (...args: string[]) => {
            const run = await stack.program(tradewind, "preview", ...args);
            told.push(run.stdout, run.stderr);
            return run;
        };
        const record = async (name: string, expected = 0) => {
            if (!process.env.RECORD_EVENTS) return;
            const { exitCode, output } = await stack.operation("preview");
            assert.equal(exitCode, expected, output);
            mkdirSync(recorded, { recursive: true });
            writeFileSync(join(recorded, `${cloud}-${name}.jsonl`), slimmed(stack.events()));
        };

        before(async () => {
            stack = await PaperStack.create(cloud, all);
            const { exitCode, output } = await stack.operation("up");
            assert.equal(exitCode, 0, output);
            stored = stack.stored();
        });
        after(() => stack?.remove());
        beforeEach(() => stack.configure(all));

        for (const change of changes) {
            it(`says what it means: ${change.name}`, async () => {
                stack.configure(change.config);
                await record(change.name);
                const { exitCode, stdout, stderr } = await preview("--stack", "test");
                assert.equal(exitCode, 0, `${stdout}${stderr}`);
                assert.match(stdout, /^<!-- tradewind preview: test -->\n## `test`\n/);
                for (const words of change.says) assert.match(stdout, words);
            });
        }

        it("says why a preview failed, and fails", async () => {
            stack.configure({ "tradewind:domain": "no domain" });
            if (cloud === "aws") await record("refused", 1);
            const { exitCode, stdout } = await preview("--stack", "test");
            assert.equal(exitCode, 1);
            assert.match(stdout, /^## ✗ `test`: the preview failed$/m);
            assert.match(stdout, /domain must be .*, got no domain/);
        });

        if (cloud === "aws") alsoOnAws();
        else alsoOnDigitalOcean();

        it("writes nothing into the state", () => {
            assert.deepEqual(stack.stored(), stored);
        });

        it("gives no secret away", async () => {
            assert.ok(told.length > 2 * changes.length);
            assert.deepEqual(givenAway(told, secretsOf(await stack.resources())), []);
        });

        function alsoOnDigitalOcean() {
            it("is made where the state is in S3", async () => {
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
                stack.configure({ "tradewind:pools": [{ name: "default", count: 2 }] });
                const comment = await inS3(tradewind, "preview", "--stack", "test");
                told.push(comment);
                assert.match(comment, /`test-old-0` \| goes/);
                await store.remove();
            });
        }

        function alsoOnAws() {
            it("names the order in which the stack waits", async () => {
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

            it("says that there is no such stack", async () => {
                const { exitCode, stdout } = await preview("--stack", "other");
                assert.equal(exitCode, 1);
                assert.match(
                    stdout,
                    /## ✗ `other`: the preview failed\n\n```text\nerror: no stack named 'other' found/,
                );
            });

            it("is the same by what preview --json prints, but for what machines boot with", async () => {
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
