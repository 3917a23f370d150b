import type { Timing } from "../up-output";
import type { Comparison, Difference } from "./compare";
import { ignoredFields, ignoredObjects } from "./ignored";

export interface DrillResult {
    readonly cluster: string;
    readonly timings: readonly Timing[];
    readonly comparison: Comparison;
    /** Seconds from the first machine destroyed until every node and pod was Ready again. */
    readonly seconds: number;
}

/** What came of a drill, for people. */
export function renderReport({ cluster, timings, comparison, seconds }: DrillResult): string {
    const { compared, ignored, differences } = comparison;
    const width = Math.max(...timings.map(({ stage }) => stage.length));
    const verdict =
        differences.length === 0
            ? `every one of ${compared} objects is as it was`
            : `${differences.length} of ${compared} objects are not as they were:\n\n${differences.map(describe).join("\n")}`;
    return `restore drill of ${cluster}: ${verdict}

from the loss of all controllers to every pod Ready: ${seconds.toFixed(1)} s

${timings.map((each) => `  ${each.stage.padEnd(width)}  ${each.seconds.toFixed(1).padStart(7)} s`).join("\n")}

not compared (${ignored} objects):
${[...ignoredObjects, ...ignoredFields].map(({ what, why }) => `  ${what}: ${why}`).join("\n")}
`;
}

function describe(difference: Difference): string {
    const { object, kind } = difference;
    return `  ${kind.padEnd(7)}  ${object}${difference.kind === "changed" ? `: ${difference.paths.join(", ")}` : ""}`;
}
