import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { powerCut } from "../../../machines";
import { describeLong } from "../../takes-long";
import { TestCluster } from "../cluster";
import { loseControlPlane } from "../control-plane-loss";
import { isWhole } from "../faults/whole";
import { untilControllersAre } from "./roles";

const cluster = new TestCluster("promoted");
const controller = (index: number) => `${cluster.name}-controller-${index}`;
const candidate = (index: number) => `${cluster.name}-default-${index}`;

/** The stack's first controller has become a candidate, and a candidate has its place. */
const controllers = [controller(1), controller(2), candidate(0)];
const scene = { cluster, controllers, workers: [controller(0), candidate(1)] };

const loseData = `
set -eu
systemctl stop kubelet
pkill -KILL -x etcd || true
rm -rf /var/lib/etcd/member-data/member
systemctl start kubelet
`;

/** Seconds until the cluster is whole. */
const patience = 300;

describeLong("a cluster in which a candidate is a controller instead of the first one", function () {
    this.timeout(900_000);
    const folder = mkdtempSync(join(tmpdir(), "tradewind-promoted-"));
    const snapshot = join(folder, "promoted.db");

    const recovered = async (...args: string[]) => {
        const since = new Date();
        await cluster.tradewind("recover", "--timeout", String(patience), ...args);
        await isWhole(scene, since, patience);
        await untilControllersAre(cluster, controllers);
        await cluster.pulumi("preview", "--expect-no-changes");
    };

    before(async () => {
        await cluster.start("--controllers", "3", "--workers", "2", "--candidates", "--yes");
        // No controller that a test makes wait is replaced.
        const set = ["config", "set", "--path", "tradewind:controllers.replaceAfter", "1h", "--plaintext"];
        await cluster.pulumi(...set);
        await cluster.pulumi("up", "--yes", "--skip-preview");
        await cluster.tradewind("promote", candidate(0));
        await cluster.tradewind("demote", controller(0));
        await untilControllersAre(cluster, controllers);
    });
    after(async () => {
        await cluster.destroy();
        rmSync(folder, { recursive: true });
    });

    it("runs again after all its controllers lost power at once", async () => {
        const since = new Date();
        await Promise.all(controllers.map((name) => powerCut(cluster.name, name)));
        await isWhole(scene, since, patience);
        await untilControllersAre(cluster, controllers);
    });

    it("is recovered from etcd after their pods and checkpoints were destroyed", async () => {
        await loseControlPlane(cluster, controllers);
        await recovered("--from", "etcd");
    });

    it("is recovered from etcd on the candidate, too", async () => {
        await loseControlPlane(cluster, controllers);
        await recovered("--from", "etcd", "--controller", candidate(0));
    });

    it("is restored on the candidate from a snapshot after they lost their data", async () => {
        await cluster.tradewind("snapshot", "--to", snapshot);
        await Promise.all(controllers.map((name) => cluster.exec(name, loseData)));
        await recovered("--from", "snapshot", "--snapshot", snapshot, "--controller", candidate(0));
    });

    it("is drilled once the first controller is one again, and restored with every object unchanged", async () => {
        await assert.rejects(cluster.tradewind("drill", "--yes"), /promoted-controller-0 must be a controller/);
        await cluster.tradewind("promote", controller(0));
        const all = [controller(0), ...controllers];
        await untilControllersAre(cluster, all);
        const { stdout } = await cluster.tradewind("drill", "--yes");
        assert.match(stdout, /all \d+ objects are unchanged/);
        await untilControllersAre(cluster, all);
        await cluster.pulumi("preview", "--expect-no-changes");
    });
});
