import { PREVIOUS_MINOR } from "../../versions";
import { finished, TestCluster } from "./cluster";

/** The Kubernetes version before the upgrade, of the previous minor version. */
export const olderVersion = PREVIOUS_MINOR;

/** The cluster of the tests in `life/`, which follow it from its pivot to its last controller, in order. */
export const life = new TestCluster("life");

let begun: Promise<void> | undefined;

/** Creates it with one controller and one worker, once. */
export function lifeBegins(): Promise<void> {
    const size = ["--controllers", "1", "--workers", "1"];
    const version = ["--kubernetes", olderVersion];
    begun ??= finished(life.spawnStart(...size, ...version, "--yes"));
    return begun;
}
