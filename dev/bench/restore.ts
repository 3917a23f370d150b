import { readFileSync } from "node:fs";
import { type DrillResult, drill } from "../../cli/drill/drill";
import type { Timing } from "../../local/up-output";
import { withCluster } from "./no-change/stack";
import type { Group, Result } from "./report";

const OBJECTS = 100;

/** Every controller lost and restored from a snapshot, against the first start of the same cluster. */
export const run: Group = ({ result, say }, { signal }) =>
    // Never a person's cluster: its controllers are destroyed.
    withCluster(undefined, signal, async (state) => {
        const start: readonly Timing[] = JSON.parse(readFileSync(state.timeline, "utf8")).stages;
        say("the restore drill");
        result(restored(await drill(state.name, OBJECTS), start));
    });

/** @throws when an object was not restored as it was: how long that took does not matter */
export function restored({ comparison, seconds }: DrillResult, start: readonly Timing[]): Result {
    const { compared, differences } = comparison;
    if (differences.length > 0) {
        throw new Error(`${differences.length} of ${compared} objects were not restored as they were`);
    }
    const first = start
        .filter(({ stage }) => ["pulumi up", "ready"].includes(stage))
        .reduce((sum, timing) => sum + timing.seconds, 0);
    const peer = "the first start of the same cluster, up and ready";
    return { name: "restore.drill", value: seconds, unit: "s", peer, ratio: seconds / first, goal: 2 };
}
