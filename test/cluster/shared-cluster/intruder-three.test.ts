import { describeLong } from "../../takes-long";
import { TestCluster } from "../cluster";
import type { Scene } from "../faults";
import { attacksInPod } from "../intruder/in-a-pod";
import { attacksWithToken } from "../intruder/with-a-token";
import { attacksWithWorker } from "../intruder/with-a-worker";
import { attacksWithAccount } from "../intruder/with-an-account";

const cluster = new TestCluster("attacked");
const scene: Scene = {
    cluster,
    controllers: [0, 1, 2].map((index) => `${cluster.name}-controller-${index}`),
    workers: [0, 1].map((index) => `${cluster.name}-default-${index}`),
};

// For one controller see the other files of intruders.
describeLong("a cluster of three controllers", () => {
    let started: Promise<unknown> | undefined;
    const start = () => {
        started ??= cluster.start("--controllers", "3", "--workers", "2", "--yes");
        return started;
    };
    after(function () {
        this.timeout(300_000);
        return cluster.destroy();
    });

    attacksWithWorker(scene, start);
    attacksInPod(scene, start);
    attacksWithAccount(scene, start);
    attacksWithToken(scene, start);
});
