import { describeError } from "../../common/api-error";
import { readPlan } from "../read-plan";
import { scene } from "../scene";

/** There is no new snapshot, or no copy of it in the store. */
export class SnapshotFailed extends Error {
    override readonly name = "SnapshotFailed";
}

/** Takes one snapshot now. Its status is the last line, as JSON. */
export async function snapshot(path: string): Promise<void> {
    const plan = readPlan(path);
    const { snapshots, publish, log } = scene(plan);
    const status = await snapshots.take("demand");
    try {
        await publish("snapshot", status);
    } catch (error) {
        // The snapshot is what counts, and is needed most when the API is not well.
        log(`the status could not be published: ${describeError(error)}`);
    }
    log(JSON.stringify(status));
    const { failure = status.copyFailure } = status;
    if (failure) {
        throw new SnapshotFailed(failure.message);
    }
}
