import { describeLong } from "../../takes-long";
import { TestCluster } from "../cluster";
import type { Attacked } from "../intruder/attacked";
import { attacksInPod } from "../intruder/in-a-pod";
import { attacksWithCandidate } from "../intruder/with-a-candidate";
import { attacksWithToken } from "../intruder/with-a-token";
import { attacksWithWorker } from "../intruder/with-a-worker";
import { attacksWithAccount } from "../intruder/with-an-account";

// Those of workers, repeated from candidates for controllers, and some that only candidates could try.
describeLong("a cluster whose workers are candidates", () => {
    const cluster = new TestCluster("attacked-candid");
    let started: Promise<unknown> | undefined;
    const attacked: Attacked = {
        cluster,
        controllers: [`${cluster.name}-controller-0`],
        workers: [0, 1].map((index) => `${cluster.name}-default-${index}`),
        cni: "flannel",
        start() {
            started ??= cluster.start("--controllers", "1", "--workers", "2", "--candidates", "--yes");
            return started;
        },
    };
    after(function () {
        this.timeout(300_000);
        return cluster.destroy();
    });

    attacksWithCandidate(attacked);
    attacksWithWorker(attacked);
    attacksInPod(attacked);
    attacksWithAccount(attacked);
    attacksWithToken(attacked, it);
});
