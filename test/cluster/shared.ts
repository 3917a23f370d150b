import { destroyCluster } from "../../machines";
import { TestCluster } from "./cluster";

/** The cluster that most tests share: making one takes longer than any of them. */
export const shared = new TestCluster("test");

let started: Promise<unknown> | undefined;

/** Makes the shared cluster with one controller and two workers, once. */
export function sharedCluster(): Promise<unknown> {
    started ??= shared.start("--controllers", "1", "--workers", "2", "--yes");
    return started;
}

/** Gives back what it takes of the computer: nobody needs it any more. */
export async function sharedClusterEnds(): Promise<void> {
    if (started) {
        await destroyCluster(shared.name);
    }
}
