import assert from "node:assert/strict";
import { versions } from "../../../artifacts";
import { isLong } from "../../takes-long";
import { finished, TestCluster } from "../cluster";
import { olderVersion } from "../life";
import { loadBalancerTargets } from "../rollout";
import { allAre, underProber } from "../under-prober";

const cluster = new TestCluster("three");
const set = (path: string, value: string | number) =>
    cluster.pulumi("config", "set", "--path", `tradewind:${path}`, String(value), "--plaintext");
const up = () => cluster.pulumi("up", "--yes", "--skip-preview");
const lose = (what: string, act: () => Promise<unknown>) =>
    underProber(cluster, what, () => loadBalancerTargets(cluster), act);

// Of one controller they are in `life/upgrade.test.ts` and `shared-cluster/certificates.test.ts`.
(isLong ? describe : describe.skip)("a cluster of three controllers loses no request", function () {
    this.timeout(900_000);

    before(() =>
        finished(cluster.spawnStart("--controllers", "3", "--workers", "0", "--kubernetes", olderVersion, "--yes")),
    );
    after(() => cluster.destroy());

    it("when its certificates are of another generation and a key of service accounts comes, and is the first", async () => {
        await lose("certificates of generation 2, service accounts' keys 1 and 2", async () => {
            await set("certificates.generation", 2);
            await set("keys.serviceAccount[0]", 1);
            await set("keys.serviceAccount[1]", 2);
            await up();
        });
        await lose("service accounts' keys 2 and 1", async () => {
            await set("keys.serviceAccount[0]", 2);
            await set("keys.serviceAccount[1]", 1);
            await up();
        });
        await cluster.pulumi("preview", "--expect-no-changes");
    });

    it("when it is upgraded to the next minor version", async () => {
        await set("kubernetesVersion", versions.kubernetes);
        await lose(`${olderVersion} to ${versions.kubernetes}`, up);
        assert.match(await cluster.kubectl("version"), new RegExp(`Server Version: v${versions.kubernetes}`));
        await allAre(cluster, versions.kubernetes, 3);
        await cluster.pulumi("preview", "--expect-no-changes");
    });
});
