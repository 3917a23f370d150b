import { ensure } from "../../../artifacts";
import { powerCut } from "../../../machines";
import { ETCD_VERSIONS, NEWEST_PATCHES } from "../../../versions";
import { describeLong } from "../../takes-long";
import { eventually, finished, TestCluster } from "../cluster";
import { controllerTargets } from "../rollout";
import { allAre, underProber } from "../under-prober";

const cluster = new TestCluster("minors");
const controller = `${cluster.name}-controller-0`;
const [oldest, ...newer] = [...NEWEST_PATCHES].reverse();
const newest = NEWEST_PATCHES[0]!;
const [newestEtcd] = ETCD_VERSIONS;

const isWhole = async (version: string) => {
    await allAre(cluster, version, 2);
    await cluster.tradewind("status");
    await cluster.pulumi("preview", "--expect-no-changes");
};

describeLong("a cluster of the oldest minor version", function () {
    this.timeout(600_000);

    before(async function () {
        this.timeout(3_600_000);
        await ensure({ kubernetes: NEWEST_PATCHES, etcd: ETCD_VERSIONS, say: () => {} });
        await finished(cluster.spawnStart("--controllers", "1", "--workers", "1", "--kubernetes", oldest!, "--yes"));
        await isWhole(oldest!);
    });
    after(() => cluster.destroy());

    for (const version of newer) {
        it(`goes on to ${version} without a failed request`, async () => {
            await changes(version, "kubernetesVersion", version);
            await isWhole(version);
        });
    }

    it(`goes on to etcd ${newestEtcd}, the newest, without a failed request`, async () => {
        await changes(`etcd ${newestEtcd}`, "etcdVersion", newestEtcd);
        await isWhole(newest);
    });

    it("runs again after a power cut", async () => {
        await powerCut(cluster.name, controller);
        await eventually("a healthy cluster", () => cluster.tradewind("status"), 120);
        await isWhole(newest);
    });
});

function changes(what: string, key: string, value: string): Promise<void> {
    return underProber(
        cluster,
        `to ${what}`,
        () => controllerTargets(cluster, controller),
        async () => {
            await cluster.pulumi("config", "set", "--path", `tradewind:${key}`, value, "--plaintext");
            await cluster.pulumi("up", "--yes", "--skip-preview");
        },
    );
}
