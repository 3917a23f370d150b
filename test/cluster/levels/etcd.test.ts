import assert from "node:assert/strict";
import { powerCut } from "../../../machines";
import { describeLong } from "../../takes-long";
import { finished, TestCluster } from "../cluster";
import { countObjects } from "../count-objects";
import { etcdMembers } from "../etcd-roll";
import { untilRunBy } from "../etcd-runner";
import { isWhole } from "../faults/whole";

const cluster = new TestCluster("etcdpods");
const all = [0, 1, 2].map((index) => `${cluster.name}-controller-${index}`);
const [first] = all as [string];
const set = (path: string, value: string) =>
    cluster.pulumi("config", "set", "--path", `tradewind:${path}`, value, "--plaintext");
const up = () => cluster.pulumi("up", "--yes", "--skip-preview");
const counted = (what: string, act: () => Promise<unknown>) => countObjects(cluster, what, act);

async function podsRun(what: string, controllers: readonly string[] = all): Promise<void> {
    for (const controller of controllers) await untilRunBy(cluster, controller, what, "etcd-pod");
    assert.deepEqual(await etcdMembers(cluster, first), controllers);
}

// Switching to the level and back, with one controller: `shared-cluster/self-hosted-etcd.test.ts`.
describeLong("a new cluster of three controllers at level 1-4", function () {
    this.timeout(900_000);

    before(() => finished(cluster.spawnStart("--controllers", "3", "--workers", "0", "--level", "1-4", "--yes")));
    after(() => cluster.destroy());

    it("has its members in pods, and nothing to change", async () => {
        await podsRun("the pod has the member of a new cluster");
        await cluster.pulumi("preview", "--expect-no-changes");
    });

    it("loses no acknowledged write when its certificates are replaced by another generation", async () => {
        await set("certificates.generation", "2");
        await counted("certificates of generation 2", up);
        await podsRun("the pod has the member with other certificates");
    });

    it("nor during a rotation of etcd's CA", async () => {
        const key = (index: number, value: number) => set(`keys.etcdCa[${index}]`, String(value));
        await key(0, 1);
        await key(1, 2);
        await counted("etcd's CAs 1 and 2", up);
        await key(0, 2);
        await key(1, 1);
        await counted("etcd's CAs 2 and 1", up);
        await cluster.pulumi("config", "rm", "--path", "tradewind:keys.etcdCa[1]");
        await counted("etcd's CA 2", up);
        await podsRun("the pod has the member with another CA");
        await cluster.pulumi("preview", "--expect-no-changes");
    });

    it("nor when a controller loses power", async () => {
        const since = new Date();
        await counted("a power cut", async () => {
            await powerCut(cluster.name, all[1]!);
            await isWhole({ cluster, controllers: all, workers: [] }, since, 240);
        });
        await podsRun("the pod has the member after a power cut");
    });

    it("nor when two controllers are removed and added again", async () => {
        await counted("3 to 1 controllers", () => cluster.start("--controllers", "1", "--yes"));
        await podsRun("the pod has the only member", [first]);
        await counted("1 to 3 controllers", () => cluster.start("--controllers", "3", "--yes"));
        await podsRun("the pod has the member of a new controller");
        await cluster.pulumi("preview", "--expect-no-changes");
    });
});
