import assert from "node:assert/strict";
import { golden } from "../unit/golden";
import { hasRecording } from "./earlier-commit/recording";
import type { CloudName } from "./paper/clouds";
import { PaperStack } from "./paper/paper-stack";
import { readPreview } from "./paper/readable-preview";
import { succeeded } from "./workspace";

const configs: Readonly<Record<CloudName, Readonly<Record<string, unknown>>>> = {
    aws: { "aws:region": "eu-central-1" },
    digitalocean: { "tradewind:region": "fra1", "tradewind:image": "170000001", "tradewind:sshKeys": ["42"] },
};

const common = {
    "tradewind:domain": "example.com",
    "tradewind:controllers": { count: 1 },
    "tradewind:workerPools": [{ name: "default" }],
    "tradewind:downloads": { kubelet: { sha256: "0".repeat(64) } },
};

/**
 * Updates, objects and components that are new, programs of agents that go, and the config that later instances of a
 * group boot with, whose name contains its hash.
 */
const isInPlace =
    /^~ |^\+ (kubernetes|tradewind:index):|^- kubernetes:core\/v1:ConfigMap |^\+- aws:s3\/bucketObjectv2:BucketObjectv2 test-default-config \(replace\)$/;

function withoutHashes(left: readonly string[]): string[] {
    return left.map((each) => each.replace(/-[0-9a-f]{16}\.ign$/, "-<hash>.ign")).sort();
}

/** Set to record clusters of the commit that is checked out; `1`. */
const isRecording = process.env.RECORD_CLUSTERS === "1";

for (const cloud of Object.keys(configs) as CloudName[]) {
    (isRecording ? describe : describe.skip)(`recording a cluster on ${cloud}`, function () {
        this.timeout(180_000);

        it("keeps its state and its account", async () => {
            const stack = await PaperStack.create(cloud, { ...configs[cloud], ...common });
            try {
                await succeeded(stack.operation("up"));
                await stack.record(cloud);
            } finally {
                stack.remove();
            }
            assert.ok(hasRecording(cloud));
        });
    });

    (isRecording ? describe.skip : describe)(`a cluster on ${cloud} that an earlier commit made`, function () {
        this.timeout(180_000);
        let stack: PaperStack;

        before(async () => {
            stack = await PaperStack.recorded(cloud);
        });
        after(() => stack?.remove());

        it("is refused as long as a key of its configuration has an old name", async () => {
            const { exitCode, output } = await stack.operation("preview");
            assert.notEqual(exitCode, 0, output);
            assert.match(output, /tradewind:pools is now tradewind:workerPools/);
            stack.configure({ ...common, "tradewind:pools": undefined, "tradewind:defaults": 1 });
        });

        it("is updated in place: no machine is replaced, and nothing but programs of agents is removed", async () => {
            const { output } = await succeeded(stack.operation("preview", "--diff"));
            const previewed = readPreview(output);
            for (const { heading } of previewed) {
                assert.match(heading, isInPlace, output);
            }
            const headings = previewed.map(({ heading }) => `${heading}\n`).join("");
            golden(__dirname, `earlier-commit-on-${cloud}`, headings);
        });

        it("is as this commit has it after one up", async () => {
            const left = withoutHashes(stack.account.left);
            await succeeded(stack.operation("up"));
            assert.deepEqual(withoutHashes(stack.account.left), left);
            const { changes } = await succeeded(stack.operation("preview"));
            assert.deepEqual(Object.keys(changes), ["same"]);
        });
    });
}
