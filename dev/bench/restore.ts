import { readFileSync } from "node:fs";
import { type DrillResult, drill } from "../../cli/drill/drill";
import type { Timing } from "../../local/up-output";
import { withCluster } from "./no-change/stack";
import type { Group, Result } from "./report";

const OBJECTS = 100;

/** All controllers lost and restored from a snapshot, compared to the first start of the same cluster. */
export const run: Group = ({ result, say }, { signal }) =>
    // Never the user's own cluster: its controllers are destroyed.
    withCluster(undefined, signal, async (state) => {
        const start: readonly Timing[] = JSON.parse(readFileSync(state.timeline, "utf8")).stages;
        say("restore drill");
        result(restored(await drill(state.name, OBJECTS), start));
    });

/** @throws if an object was not restored correctly: the duration is then meaningless */
export function restored({ comparison, seconds }: DrillResult, start: readonly Timing[]): Result {
    const { compared, differences } = comparison;
    if (differences.length > 0) {
        throw new Error(`${differences.length} of ${compared} objects were not restored correctly`);
    }
    const first = start
        .filter(({ stage }) => ["pulumi up", "ready"].includes(stage))
        .reduce((sum, timing) => sum + timing.seconds, 0);
    const peer = "first start of the same cluster until it is ready";
    return { name: "restore.drill", value: seconds, unit: "s", peer, ratio: seconds / first, goal: 2 };
}
