import { describeLong } from "../../takes-long";
import { TestCluster } from "../cluster";
import type { Attacked } from "../intruder/attacked";
import { attacksInPod } from "../intruder/in-a-pod";
import { attacksWithToken } from "../intruder/with-a-token";
import { attacksWithWorker } from "../intruder/with-a-worker";
import { attacksWithAccount } from "../intruder/with-an-account";

// For one controller see the other files of intruders.
for (const cni of ["flannel", "kube-router"] as const) {
    describeLong(`a cluster of three controllers with ${cni}`, () => {
        const cluster = new TestCluster(cni === "flannel" ? "attacked" : "attacked-router");
        let started: Promise<unknown> | undefined;
        const attacked: Attacked = {
            cluster,
            controllers: [0, 1, 2].map((index) => `${cluster.name}-controller-${index}`),
            workers: [0, 1].map((index) => `${cluster.name}-default-${index}`),
            cni,
            start() {
                started ??= cluster.start("--controllers", "3", "--workers", "2", "--cni", cni, "--yes");
                return started;
            },
        };
        after(function () {
            this.timeout(300_000);
            return cluster.destroy();
        });

        attacksWithWorker(attacked);
        attacksInPod(attacked);
        attacksWithAccount(attacked);
        attacksWithToken(attacked, it);
    });
}
