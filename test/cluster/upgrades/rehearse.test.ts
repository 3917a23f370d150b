import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stateRoot } from "../../../local/state";
import { PREVIOUS_MINOR, versions } from "../../../versions";
import { describeLong } from "../../takes-long";
import { finished, readText, TestCluster } from "../cluster";

const cluster = new TestCluster("rehearse");
const to = versions.kubernetes;

describeLong("a rehearsal of a cluster's upgrade", function () {
    this.timeout(600_000);
    const folder = mkdtempSync(join(tmpdir(), "tradewind-rehearsal-"));
    const report = join(folder, "rehearsal.json");

    before(async () => {
        const size = ["--controllers", "1", "--workers", "0"];
        await finished(cluster.spawnStart(...size, "--kubernetes", PREVIOUS_MINOR, "--yes"));
        await cluster.kubectl("create", "secret", "generic", "rehearsed", "--from-literal", "key=never-shown");
        await cluster.tradewind("snapshot");
    });
    after(async () => {
        rmSync(folder, { recursive: true });
        await cluster.destroy();
    });

    it("finds every object of its newest snapshot, shows no secret and leaves nothing", async () => {
        const { stdout } = await cluster.tradewind("rehearse", "--kubernetes", to, "--report", report);
        assert.match(stdout, new RegExp(`Kubernetes ${to.replaceAll(".", "\\.")} reads all \\d+ objects`));
        assert.doesNotMatch(`${stdout}${readText(report)}`, /never-shown|bmV2ZXItc2hvd24/);
        assert.deepEqual(readdirSync(join(stateRoot(), ".rehearsals")), []);
    });

    it("is in the comment on the pull request that upgrades it", async () => {
        await cluster.pulumi("config", "set", "kubernetesVersion", to);
        const { stdout } = await cluster.tradewind("preview", "--rehearsal", report);
        assert.match(stdout, /\*\*Rehearsal of .* ✓ Kubernetes/);
    });
});
