import { finished, TestCluster } from "./cluster";

/** The cluster of the tests in `life/`, which follow it from its pivot to its last controller, each after the other. */
export const life = new TestCluster("life");

let begun: Promise<void> | undefined;

/** Makes it with one controller and one worker, once. */
export function lifeBegins(): Promise<void> {
    begun ??= finished(life.spawnStart("--controllers", "1", "--workers", "1", "--yes"));
    return begun;
}
