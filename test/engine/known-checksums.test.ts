import assert from "node:assert/strict";
import { knownKubeletChecksum, publishedKubelet } from "../../cluster/downloads";
import { versions } from "../../versions";
import type { CloudName } from "./paper/clouds";
import { PaperStack } from "./paper/paper-stack";

const smallest: Readonly<Partial<Record<CloudName, Readonly<Record<string, unknown>>>>> = {
    aws: { "aws:region": "eu-central-1", "tradewind:domain": "example.com" },
    digitalocean: {
        "tradewind:domain": "example.com",
        "tradewind:region": "fra1",
        "tradewind:image": "170000001",
        "tradewind:sshKeys": ["42"],
    },
};

for (const [cloud, config] of Object.entries(smallest) as [CloudName, Readonly<Record<string, unknown>>][]) {
    describe(`the smallest stack on ${cloud}, with the real engine in a dry run,`, function () {
        this.timeout(300_000);
        let stack: PaperStack;

        before(async () => {
            stack = await PaperStack.create(cloud, config);
        });
        after(() => stack?.remove());

        it("needs a kubelet's checksum for an unknown version only: the preview prints the line and a command", async () => {
            stack.configure({ "tradewind:kubernetesVersion": "1.36.99" });
            const refused = await stack.operation("preview");
            assert.notEqual(refused.exitCode, 0);
            assert.match(
                refused.output,
                /downloads\.kubelet\.sha256 must be that of kubelet 1\.36\.99 for amd64, which/,
            );
            assert.doesNotMatch(refused.output, / {4}at .*\.ts/);
            const command = `curl -fsSL ${publishedKubelet("1.36.99", "amd64")}.sha256`;
            assert.ok(refused.output.includes(command), refused.output);
            const [, key, line] = / {2}(tradewind:downloads): (.*)/.exec(refused.output)!;
            assert.equal(line, '{ kubelet: { sha256: "…" } }');
            stack.configure({ [key!]: { kubelet: { sha256: "2".repeat(64) } } });
            const accepted = await stack.operation("preview");
            assert.equal(accepted.exitCode, 0, accepted.output);
        });

        it("is created without downloads: machines get those that are known", async () => {
            stack.configure({ "tradewind:kubernetesVersion": undefined, "tradewind:downloads": undefined });
            const { exitCode, output } = await stack.operation("up");
            assert.equal(exitCode, 0, output);
            const state = JSON.stringify(await stack.resources());
            assert.ok(state.includes(publishedKubelet(versions.kubernetes, "amd64")));
            assert.ok(state.includes(knownKubeletChecksum(versions.kubernetes, "amd64")!));
        });
    });
}
