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

        it("is updated in place: nothing is replaced, and only programs of agents are added and removed", async () => {
            const { output, changes } = await succeeded(stack.operation("preview", "--diff"));
            assert.equal(changes.replace ?? 0, 0, output);
            const previewed = readPreview(output);
            for (const { heading } of previewed) {
                assert.match(heading, /^~ |^[+-] kubernetes:core\/v1:ConfigMap /);
            }
            const headings = previewed.map(({ heading }) => `${heading}\n`).join("");
            golden(__dirname, `earlier-commit-on-${cloud}`, headings);
        });

        it("is as this commit has it after one up", async () => {
            const left = stack.account.left;
            await succeeded(stack.operation("up"));
            assert.deepEqual(stack.account.left, left);
            const { changes } = await succeeded(stack.operation("preview"));
            assert.deepEqual(Object.keys(changes), ["same"]);
        });
    });
}
