import assert from "node:assert/strict";
import { keepsSecrets } from "./cloud-secrets/keeps-secrets";
import { PaperStack } from "./paper/paper-stack";

/** By key: `turn` is a different letter for each change. */
const givenIn = (turn: string) => ({
    "tradewind:etcdSnapshots.s3.secretAccessKey": `secret-access-key-${turn.repeat(8)}`,
    "tradewind:etcdSnapshots.s3.encryptionKey": Buffer.alloc(32, turn).toString("base64"),
});

describe("a cluster on aws with cloud-init, created in a dry run by the real engine", function () {
    this.timeout(240_000);
    let stack: PaperStack;
    let brought: readonly string[];

    before(async () => {
        stack = await PaperStack.create("aws", {
            "aws:region": "eu-central-1",
            "tradewind:domain": "example.com",
            "tradewind:os": "cloud-init",
            "tradewind:image": "ami-0fedcba9876543210",
            "tradewind:workerPools": [{ name: "default" }, { name: "other" }],
            "tradewind:etcdSnapshots": {
                s3: { endpoint: "https://store.example.com", bucket: "snapshots", accessKeyId: "id" },
            },
        });
        brought = stack.account.left;
        await stack.setSecrets(givenIn("k"));
    });
    after(() => stack?.remove());

    it("is created with nodes' configs in cloud-init's format, and gets other secrets", async () => {
        const made = await stack.operation("up");
        assert.equal(made.exitCode, 0, made.output);
        const configs = (await stack.resources()).filter(({ type }) => type.endsWith(":BucketObjectv2"));
        const written = configs.filter(({ inputs }) => /^#cloud-config\n/.test(String(inputs.content)));
        assert.deepEqual(
            written.map(({ name }) => name).sort(),
            ["controller-0", "default", "other"].map((each) => `test-${each}-config`),
        );
        await stack.setSecrets(givenIn("l"));
        const again = await stack.debugged("up");
        assert.equal(again.exitCode, 0, again.output);
    });

    keepsSecrets(() => ({
        stack,
        cloud: "aws",
        configs: ["aws:s3/bucketObjectv2:BucketObjectv2", "content"],
        given: ["k", "l"].flatMap((turn) =>
            Object.entries(givenIn(turn)).map(([name, value]) => ({ name: `${name} ${turn}`, traces: [value] })),
        ),
    }));

    it("is destroyed, leaving nothing in the account", async () => {
        const { exitCode, output } = await stack.operation("destroy");
        assert.equal(exitCode, 0, output);
        assert.deepEqual(stack.account.left, brought);
    });
});
