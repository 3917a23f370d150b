import { type Output, TestCluster } from "./cluster";
import type { Attacked } from "./intruder/attacked";

/** The cluster that most tests share: creating one takes longer than any of them. */
export const shared = new TestCluster("test");

/** Options it is started with. */
export const size = ["--controllers", "1", "--workers", "2", "--yes"];

let started: Promise<Output> | undefined;

/** Creates the shared cluster with one controller and two workers, once. */
export function sharedCluster(): Promise<Output> {
    started ??= shared.start(...size);
    return started;
}

/** It, for intruders. */
export const sharedAttacked: Attacked = {
    cluster: shared,
    controllers: [`${shared.name}-controller-0`],
    workers: [0, 1].map((index) => `${shared.name}-default-${index}`),
    cni: "flannel",
    start: sharedCluster,
};
